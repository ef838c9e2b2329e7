// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import type { Statement } from '../conditions/cases.ts';
import type { ConditionType } from '../conditions/condition-catalog.ts';
import { desiredStatus } from '../conditions/readiness.ts';
import type { Modified } from './modified.ts';
import type { Outcome, SkippedText } from './outcome.ts';
import { owned, type Owned } from './owned.ts';
import type { Reads } from './reads.ts';
import type { StepContext } from './step-context.ts';

/** A resource that steps reconcile. */
export interface StepResource extends KubeObject {
  status?: { conditions?: readonly Condition[] };
}

/** Outside systems, as read-only clients and as clients that change something: plans get only the former. */
export interface Services<R extends object = object, A extends object = object> {
  readonly reading: R;
  readonly acting: A;
}

/** A condition that a step sets. */
export interface StepCondition {
  readonly type: string;
  /** The desired status; False for inverse conditions such as `Degraded`. */
  readonly desired: 'True' | 'False';
  /** Whether Ready depends on it. */
  readonly countsForReady: boolean;
  /** Whether the runs of the step are measured; those of an informational condition never are. */
  readonly measured: boolean;
  /** The sub-reconciler under which errors of the step are counted, where it has none of its own; its runs are not timed. */
  readonly helperOf?: string;
}

/** One part of a resource's reconciliation; `O` is its output for the steps that need it. */
export interface Step<T extends StepResource, S extends Services, O = unknown> {
  /** Metric label, docs, graph. */
  readonly name: string;
  /** The condition that its outcome sets, if any. */
  readonly condition: StepCondition | undefined;
  /** Further conditions that its outcome may set. */
  readonly conditions: readonly StepCondition[];
  /** Of a deletion step: the finalizer that holds the resource until the step is ready. */
  readonly finalizer?: string;
  readonly needs: Readonly<Record<string, Step<T, S>>>;
  /** Steps that must have ended before, with any outcome. */
  readonly after: readonly Step<T, S>[];
  readonly owns: readonly Owned[];
  readonly reads: readonly Reads<T, S>[];
  readonly modifies: readonly Modified[];
  /** Status fields; in one pass at most one step sets a field. */
  readonly writes: readonly string[];
  /** The condition when the step is skipped because of an unmet need. */
  skipped?(unmet: Step<T, S>): SkippedText | undefined;
  run(context: StepContext<T, S, Readonly<Record<string, unknown>>>): Promise<Outcome<O>>;
}

type OutputOf<Need> = Need extends Step<infer _T, infer _S, infer O> ? O : never;

/** The outputs of the needed steps, by the names of the needs. */
type OutputsOf<N> = { readonly [K in keyof N]: OutputOf<N[K]> };

/** The context of a step that is made by this function and has these needs: `ContextOf<typeof step, { config: typeof config }>`. */
export type ContextOf<F extends (options: never) => unknown, N = unknown> =
  ReturnType<F> extends Step<infer T, infer S> ? StepContext<T, S, OutputsOf<N>> : never;

type StatusOf<T extends StepResource> = NonNullable<T['status']>;

/** The name of a status field that a step may set. */
export type StatusField<T extends StepResource> = Exclude<keyof StatusOf<T>, 'conditions' | 'observedGeneration'> &
  string;

/** A step may set the status fields it lists; the others are `never`. */
type StatusPatch<T extends StepResource, W> = {
  [F in StatusField<T>]?: F extends W ? StatusOf<T>[F] | undefined : never;
};

/** A condition: its type, or its type with options. */
type ConditionOptions = string | (ConditionType & { helperOf?: string });

/** The options of a step. */
export interface StepOptions<T extends StepResource, S extends Services, O, N, W> {
  name: string;
  /** The condition that its outcome sets. */
  condition?: ConditionOptions;
  /** Further conditions, set by `conditions` of its outcomes. */
  conditions?: readonly ConditionOptions[];
  /** Order, parallelism, typed inputs. */
  needs?: N;
  /** Runs when these have ended, with any outcome. */
  after?: readonly Step<T, S>[];
  /** Its condition when it is skipped, by the unmet need. Default: unchanged. */
  skipped?: { readonly [K in keyof N]?: Statement };
  /** Kinds it writes: watches, RBAC, docs. A bare kind is applied. */
  owns?: readonly (Kind | Owned)[];
  reads?: readonly Reads<T, S>[];
  /** Changes to objects it does not own: RBAC, docs. */
  modifies?: readonly Modified[];
  writes?: readonly W[];
  run(context: StepContext<T, S, OutputsOf<N>>): Promise<Outcome<O, StatusPatch<T, W>>>;
}

/** The step function of one operator: `T` is its resource, `S` are the outside services its steps use. */
export function stepFor<T extends StepResource, S extends Services>() {
  return function step<
    O,
    const N extends Readonly<Record<string, Step<T, S>>> = Record<string, never>,
    const W extends StatusField<T> = never,
  >(options: StepOptions<T, S, O, N, W>): Step<T, S, O> {
    const { condition, needs = {} as N, skipped = {} } = options;
    const texts: Readonly<Record<string, Statement | undefined>> = skipped;
    return {
      name: options.name,
      condition: condition === undefined ? undefined : stepCondition(condition),
      conditions: (options.conditions ?? []).map(stepCondition),
      needs,
      after: options.after ?? [],
      owns: (options.owns ?? []).map((each) => ('verbs' in each ? each : owned(each, 'apply'))),
      reads: options.reads ?? [],
      modifies: options.modifies ?? [],
      writes: options.writes ?? [],
      skipped: (unmet) => {
        const name = Object.keys(needs).find((key) => needs[key] === unmet);
        const text = name === undefined ? undefined : texts[name];
        if (text === undefined) return undefined;
        const { recheck, ...rest } = text;
        return typeof recheck === 'number' ? { ...rest, recheck } : rest;
      },
      // The engine passes the outputs of exactly the steps in `needs`.
      run: (context) => options.run(context as Parameters<typeof options.run>[0]),
    };
  };
}

/** All conditions that a step may set. */
export function conditionsOf({
  condition,
  conditions,
}: Pick<Step<StepResource, Services>, 'condition' | 'conditions'>) {
  return condition === undefined ? conditions : [condition, ...conditions];
}

function stepCondition(options: ConditionOptions): StepCondition {
  const declared: Exclude<ConditionOptions, string> = typeof options === 'string' ? { type: options } : options;
  const { type, informational, helperOf } = declared;
  return {
    type,
    desired: desiredStatus(declared),
    countsForReady: informational !== true,
    measured: informational !== true,
    ...(helperOf !== undefined && { helperOf }),
  };
}
