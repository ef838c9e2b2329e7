// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef, OwnerReference } from '@forge/kube/objects/object.ts';
import type { ApplyOptions } from '../apply/applier.ts';
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import type { EventNote } from '../events/event-recorder.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import type { Labels, Reads } from './reads.ts';
import type { Services, StepResource } from './step.ts';

/** What a step reads and writes with. Reads are cached unless declared live; writes that change nothing are skipped. */
export interface StepContext<T extends StepResource, S extends Services, N>
  extends ContextReads<T, S>, ContextWrites, ContextModifications {
  object: T;
  /** The outputs of the needed steps. */
  needs: N;
  /** For the summary: the status that the other steps of this pass result in. For all others: the current status. */
  pending: NonNullable<T['status']>;
  /** Outside systems, read-only. */
  services: S['reading'];
  /** Changes something in an outside system; a plan ends the step here and shows the description. */
  act: <R>(description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  /**
   * As `act`, for calls that leave nothing behind that matters, such as a login. A plan does not make them either: it shows the
   * description, and the step goes on with undefined, without knowing what the call would have told it.
   */
  actUnlessPlanned: <R>(description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R | undefined>;
  /**
   * Sends an Event about the resource, or `about` another object. With `once`, it is sent only if the last Event of this step and
   * reason was sent with another value of `once`, as far as this process remembers.
   */
  event: (note: EventNote, options?: { once?: string; about?: KubeObject }) => Promise<void>;
  /**
   * For how long this process has seen the state hold, by the monotonic clock; 0 when it does not hold now. The time starts over
   * when a run of this step sees that the state has ended or does not ask for the key, and when a pass skips the step.
   */
  seenFor: (key: string, now: boolean) => Duration;
  /** Metrics of this resource: they are removed with it. */
  metrics: Metrics;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** How a step reads. */
export interface ContextReads<T extends StepResource, S extends Services> {
  /** An object of a kind the step owns, or one that it declares to read. */
  get: <R extends KubeObject>(kind: Kind<R>, name: string | ObjectRef) => R | undefined;
  /** The objects of a kind the step owns that belong to the resource. */
  list: <R extends KubeObject>(kind: Kind<R>, selection?: { labels?: Labels }) => R[];
  /** The objects of a declared read. */
  select: <R extends KubeObject>(read: Reads<T, S, R>) => R[];
  /** As `get`, but live. */
  fetch: <R extends KubeObject>(kind: Kind<R>, name: string | ObjectRef) => Promise<R | undefined>;
  /** As `select` by labels, but live; `labels` narrows it further. */
  fetchAll: <R extends KubeObject>(read: Reads<T, S, R>, selection?: { labels?: Labels }) => Promise<R[]>;
  /** Whether a kind that the step owns or reads is installed. */
  isInstalled: (kind: Kind) => boolean;
}

/** How an object belongs to its resource. */
export interface Ownership {
  /** It outlives the resource: an annotation takes the place of the owner reference. Default: it is deleted with it. */
  retainOnDelete?: boolean;
}

/** How an owned object is created. */
interface CreateOptions extends Ownership {
  /** Adopts an existing object without an owner. Default: that is an error. */
  adopt?: boolean;
}

/** How a step writes what it owns. */
export interface ContextWrites {
  /** Server-side apply of the object, or of the named part of it. */
  apply: <R extends KubeObject>(
    desired: R,
    options?: Pick<ApplyOptions, 'transferredFields'> & CreateOptions & { part?: string | undefined },
  ) => Promise<R>;
  /** Creates the object if it does not exist; never updates it. */
  create: <R extends KubeObject>(desired: R, options?: CreateOptions) => Promise<R>;
  /** Replaces the whole object if it still has the resource version of `desired`, or else of the cached object. */
  replace: <R extends KubeObject>(desired: R, options?: Ownership) => Promise<R>;
  /**
   * Deletes our object of this name, if it exists; given an object, only at that resource version. Dependents are deleted
   * after it, or before it with foreground propagation. Default: in the background.
   */
  remove: (
    kind: Kind,
    object: string | KubeObject,
    options?: { propagation?: 'Background' | 'Foreground' },
  ) => Promise<void>;
  /** Deletes our objects of the kind, or those with these labels, except the ones to keep. */
  sweep: (kind: Kind, wanted: { keep: readonly string[]; labels?: Labels }) => Promise<void>;
}

/** A JSON merge patch: null removes a field. */
type MergePatch = { readonly metadata?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;

/** A ServiceAccount token and its expiry. */
interface IssuedToken {
  readonly token: SecretValue;
  readonly expires: string;
}

/** How a step changes what it does not own. */
export interface ContextModifications {
  /** Patches this object, not a successor of the same name; `exact`: only at this resource version. */
  patch: <R extends KubeObject>(
    kind: Kind<R>,
    live: R,
    change: MergePatch,
    options?: { exact?: boolean },
  ) => Promise<R>;
  /** Removes the selected finalizers and owner references. */
  release: (
    kind: Kind,
    live: KubeObject,
    held: { finalizers?: (finalizer: string) => boolean; owners?: (owner: OwnerReference) => boolean },
  ) => Promise<void>;
  /** Deletes this object, not a successor of the same name; `exact`: only at this resource version. */
  deleteUnowned: (kind: Kind, live: KubeObject, options?: { exact?: boolean }) => Promise<void>;
  /** Deletes every object with these labels in the resource's namespace. */
  deleteCollection: (kind: Kind, labels: Labels) => Promise<void>;
  /** A token of a ServiceAccount in the resource's namespace. */
  requestToken: (account: string, wanted: { audiences: readonly string[]; validFor: Duration }) => Promise<IssuedToken>;
  /** Creates the object as a dry run: throws the error of a real creation. */
  dryRunCreate: (desired: KubeObject) => Promise<void>;
}
