// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/object.ts';
import type { ApplyOptions } from '../applier.ts';
import type { Change } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { EventNote } from '../event-recorder.ts';
import type { Logger } from '../logger.ts';
import type { Random } from '../random.ts';
import type { Outcome } from './outcome.ts';
import { owned, type Owned } from './owned.ts';

/** A resource that steps reconcile. */
export interface StepResource extends KubeObject {
  status?: { conditions?: readonly Condition[] };
}

/** Which objects of a kind a step reads: those the resource names, in its own namespace or in none. */
export interface Reads<T extends StepResource, S, R extends KubeObject = KubeObject> {
  readonly kind: Kind<R>;
  names(object: T, services: S): readonly string[];
  predicate(change: Change<R>): boolean;
}

/** Lets a step read these objects, and wakes the resource when one of them comes, changes or goes. */
export function reads<T extends StepResource, S, R extends KubeObject>(
  kind: Kind<R>,
  names: Reads<T, S>['names'],
  { predicate = () => true }: { predicate?: (change: Change<R>) => boolean } = {},
): Reads<T, S> {
  return { kind, names, predicate };
}

/** What a step works with. Reads come from the cache; writes are skipped when nothing would change. */
export interface StepContext<T extends StepResource, S, N> {
  object: T;
  /** The outputs of the needed steps. */
  needs: N;
  services: S;
  /** Makes the object's fields so: server-side apply, controlled by the resource. */
  apply: <R extends KubeObject>(desired: R, options?: ApplyOptions) => Promise<R>;
  /** Creates the object once and leaves it alone from then on. */
  create: <R extends KubeObject>(desired: R) => Promise<R>;
  /** Replaces our object as a whole, provided that it is still as the cache shows it. */
  replace: <R extends KubeObject>(desired: R) => Promise<R>;
  /** Deletes our object of that name, if there is one. */
  remove: (kind: Kind, name: string) => Promise<void>;
  /** Deletes our objects of that kind that are no longer wanted: all, or those with these labels, but the ones to keep. */
  sweep: (kind: Kind, wanted: { keep: readonly string[]; labels?: Readonly<Record<string, string>> }) => Promise<void>;
  /** An object of a kind the step owns, or one it says that it reads. */
  get: <R extends KubeObject>(kind: Kind<R>, name: string) => R | undefined;
  /** The objects of a kind the step owns that the resource controls. */
  list: <R extends KubeObject>(kind: Kind<R>, selection?: { labels?: Readonly<Record<string, string>> }) => R[];
  event: (note: EventNote) => Promise<void>;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** One part of a resource's reconciliation; `O` is what it hands to the steps that need it. */
export interface Step<T extends StepResource, S, O = unknown> {
  /** Metric label, docs, graph. */
  readonly name: string;
  /** What it speaks for, if it has one; Ready does not count an informational one. */
  readonly condition: { readonly type: string; readonly informational: boolean } | undefined;
  /** What holds the resource until this step, one of the deletion pipeline, is ready. */
  readonly finalizer?: string;
  readonly needs: Readonly<Record<string, Step<T, S>>>;
  readonly owns: readonly Owned[];
  readonly reads: readonly Reads<T, S>[];
  /** Status fields; each has one writer. */
  readonly writes: readonly string[];
  run(context: StepContext<T, S, Readonly<Record<string, unknown>>>): Promise<Outcome<O>>;
}

type OutputOf<Need> = Need extends Step<infer _T, infer _S, infer O> ? O : never;

type StatusOf<T extends StepResource> = NonNullable<T['status']>;

type StatusField<T extends StepResource> = Exclude<keyof StatusOf<T>, 'conditions'> & string;

/** The fields a step may set are those it lists; `never` refuses the others. */
type StatusPatch<T extends StepResource, W> = {
  [F in StatusField<T>]?: F extends W ? StatusOf<T>[F] | undefined : never;
};

/** What a step says, needs and touches. */
export interface StepOptions<T extends StepResource, S, O, N, W> {
  name: string;
  condition?: string | { type: string; informational: true };
  /** Order, parallelism, typed inputs. */
  needs?: N;
  /** Kinds it writes: watches, RBAC, docs. One that stands alone is applied. */
  owns?: readonly (Kind | Owned)[];
  reads?: readonly Reads<T, S>[];
  writes?: readonly W[];
  run(context: StepContext<T, S, { readonly [K in keyof N]: OutputOf<N[K]> }>): Promise<Outcome<O, StatusPatch<T, W>>>;
}

/** The step function of one operator: `T` is its resource, `S` are the outside services its steps use. */
export function stepFor<T extends StepResource, S>() {
  return function step<
    O,
    const N extends Readonly<Record<string, Step<T, S>>> = Record<string, never>,
    const W extends StatusField<T> = never,
  >(options: StepOptions<T, S, O, N, W>): Step<T, S, O> {
    const { condition } = options;
    return {
      name: options.name,
      condition: typeof condition === 'string' ? { type: condition, informational: false } : condition,
      needs: options.needs ?? {},
      owns: (options.owns ?? []).map((each) => ('acts' in each ? each : owned(each, 'apply'))),
      reads: options.reads ?? [],
      writes: options.writes ?? [],
      // The engine hands over the outputs of exactly the steps named in `needs`.
      run: (context) => options.run(context as Parameters<typeof options.run>[0]),
    };
  };
}
