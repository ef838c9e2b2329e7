// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { Duration } from '../environment/duration.ts';
import type { EventNote } from '../events/event-recorder.ts';

/** When a resource is reconciled again without a change: after a duration, with backoff, or as the step computes. */
export type Recheck = Duration | 'backoff' | 'computed';

/** A type of condition. Default: it should be True, and the readiness of the resource depends on it. */
export interface ConditionType {
  readonly type: string;
  /** It should be False, as `Degraded`. */
  readonly inverse?: true;
  /** Readiness does not depend on it. */
  readonly informational?: true;
}

/** One state of a condition; its type is `*` for any condition of the resource. */
export interface ConditionCase extends ConditionType, Readonly<Pick<Condition, 'status' | 'reason'>> {
  /** `{name}` stands for any text. */
  readonly message: string;
  /** Default: only a change triggers a reconciliation. */
  readonly recheck?: Recheck;
  /** The message may be followed by `: ` and details; a change of the details alone sends no Event. */
  readonly suffix?: 'optional';
  /** `error`: `reconcile_errors_total` counts it, also when the outcome is neither `failed` nor `blocked`. */
  readonly counts?: 'error';
  /** Why no test can observe it. Default: the test run must observe it. */
  readonly unobserved?: string;
}

/** One Event that may be sent; `{name}` in its message stands for any text. */
export type EventCase = Readonly<EventNote>;

/**
 * The texts of Ready when it aggregates the other conditions; `byStep` when a step sets Ready itself; `none` when the kind has
 * no Ready, so that its readiness derives from the other conditions.
 */
export type ReadyTexts = AggregatedReady | 'byStep' | 'none';

/** The texts of a Ready that aggregates the other conditions. */
export interface AggregatedReady {
  readonly allReady: ReadyText;
  readonly notAllReady: ReadyText;
}

type ReadyText = Readonly<Pick<Condition, 'reason' | 'message'>>;

/** The conditions and Events of an operator as data: tests compare it with what is observed, docs are printed from it. */
export interface ConditionCatalog {
  readonly conditions: readonly ConditionCase[];
  readonly events: readonly EventCase[];
  /** Default: `defaultReady`. */
  readonly ready?: ReadyTexts;
}

/** Is notified of every condition and Event. */
export interface CatalogObserver {
  condition(observed: Omit<ConditionCase, 'suffix' | 'counts' | 'unobserved'>): void;
  event(observed: EventCase): void;
}

/** The texts of Ready unless the operator has its own. */
export const defaultReady = {
  allReady: { reason: 'AllReady', message: 'All sub-resources are ready' },
  notAllReady: { reason: 'NotAllReady', message: 'One or more sub-conditions are not ready' },
} as const satisfies AggregatedReady;
