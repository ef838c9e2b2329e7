// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef, OwnerReference } from '@forge/kube/objects/object.ts';
import type { ApplyOptions } from '../apply/applier.ts';
import type { EventNote } from '../events/event-recorder.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Random } from '../random/random.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import type { Clock } from '../time/clock.ts';
import type { Duration } from '../time/duration.ts';
import type { Labels, Reads } from './reads.ts';
import type { Services, StepResource } from './step.ts';

/** What a step works with. Reads come from the cache unless they say otherwise; writes are skipped when nothing would change. */
export interface StepContext<T extends StepResource, S extends Services, N>
  extends ContextReads<T, S>, ContextWrites, ContextTouches {
  object: T;
  /** The outputs of the needed steps. */
  needs: N;
  /** For the summary: the status that the other steps of this pass lead to. For all others: the status as it was. */
  pending: NonNullable<T['status']>;
  /** Outside systems, to look at. */
  services: S['reading'];
  /** Changes something in an outside system; a plan stops here and shows the description. */
  act: <R>(description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  event: (note: EventNote) => Promise<void>;
  /** Measurements of this resource: they go when it does. */
  metrics: Metrics;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** How a step reads. */
export interface ContextReads<T extends StepResource, S extends Services> {
  /** An object of a kind the step owns, or one it says that it reads. */
  get: <R extends KubeObject>(kind: Kind<R>, name: string | ObjectRef) => R | undefined;
  /** The objects of a kind the step owns that belong to the resource. */
  list: <R extends KubeObject>(kind: Kind<R>, selection?: { labels?: Labels }) => R[];
  /** The objects that the resource finds by these reads. */
  select: <R extends KubeObject>(read: Reads<T, S, R>) => R[];
  /** As `get`, but asks the server. */
  fetch: <R extends KubeObject>(kind: Kind<R>, name: string | ObjectRef) => Promise<R | undefined>;
  /** As `select` by labels, but asks the server. */
  fetchAll: <R extends KubeObject>(read: Reads<T, S, R>) => Promise<R[]>;
  /** Whether the cluster has the kind, which the step owns or reads. */
  isInstalled: (kind: Kind) => boolean;
}

/** How an object belongs to its resource. */
export interface Ownership {
  /** It must not go with the resource: a mark takes the place of the owner reference. Default: it goes. */
  outlives?: boolean;
}

/** How an object of ours is made. */
interface CreateOptions extends Ownership {
  /** Takes over an object that exists and belongs to nobody. Default: it is refused. */
  adopt?: boolean;
}

/** How a step writes what it owns. */
export interface ContextWrites {
  /** Makes the object's fields, or those of the named part, so: server-side apply. */
  apply: <R extends KubeObject>(
    desired: R,
    options?: Pick<ApplyOptions, 'handedOver'> & CreateOptions & { part?: string | undefined },
  ) => Promise<R>;
  /** Creates the object once and leaves it alone from then on. */
  create: <R extends KubeObject>(desired: R, options?: CreateOptions) => Promise<R>;
  /** Replaces our object as a whole, provided that it is still as the cache shows it. */
  replace: <R extends KubeObject>(desired: R, options?: Ownership) => Promise<R>;
  /** Deletes our object of that name, if there is one; or this very state of it, when its content led to the decision. */
  remove: (kind: Kind, object: string | KubeObject) => Promise<void>;
  /** Deletes our objects of that kind that are no longer wanted: all, or those with these labels, but the ones to keep. */
  sweep: (kind: Kind, wanted: { keep: readonly string[]; labels?: Labels }) => Promise<void>;
}

/** A change as a JSON merge patch: null takes a field away. */
type MergePatch = { readonly metadata?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;

/** A token of a ServiceAccount, and until when it is valid. */
interface IssuedToken {
  readonly token: SecretValue;
  readonly expires: string;
}

/** How a step changes what it does not own. */
export interface ContextTouches {
  /** Changes these fields of the object, and of no other that took its name; `exact` only if it is still as we know it. */
  patch: <R extends KubeObject>(
    kind: Kind<R>,
    live: R,
    change: MergePatch,
    options?: { exact?: boolean },
  ) => Promise<R>;
  /** Takes off the finalizers and owner references that are named. */
  release: (
    kind: Kind,
    live: KubeObject,
    held: { finalizers?: (finalizer: string) => boolean; owners?: (owner: OwnerReference) => boolean },
  ) => Promise<void>;
  /** Deletes the object that we know; `exact` only if it is still so, when its content led to the decision. */
  deleteForeign: (kind: Kind, live: KubeObject, options?: { exact?: boolean }) => Promise<void>;
  /** Deletes every object with these labels in the resource's namespace. */
  deleteCollection: (kind: Kind, labels: Labels) => Promise<void>;
  /** A token of a ServiceAccount in the resource's namespace. */
  requestToken: (account: string, wanted: { audiences: readonly string[]; validFor: Duration }) => Promise<IssuedToken>;
  /** Creates the object without keeping it: throws what a real creation would be refused with. */
  dryRunCreate: (desired: KubeObject) => Promise<void>;
}
