// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { EventNote } from '../events/event-recorder.ts';
import type { Duration } from '../time/duration.ts';

/** When a resource is looked at again although nothing changed: after a time, as failures are, or as the step computes. */
export type Recheck = Duration | 'backoff' | 'computed';

/** One thing that a condition may say. */
export interface ConditionRow extends Readonly<Pick<Condition, 'status' | 'reason'>> {
  /** `*` is any condition of the resource. */
  readonly type: string;
  /** `{name}` stands for any text. */
  readonly message: string;
  /** Default: only a change wakes the resource. */
  readonly recheck?: Recheck;
  /** The message may be followed by `: ` and more, which is news to readers of the condition but not worth an Event. */
  readonly suffix?: 'optional';
  /** Why no test can observe it. Default: the test run must. */
  readonly unobserved?: string;
}

/** One Event that may be sent; `{name}` in its message stands for any text. */
export type EventRow = Readonly<EventNote>;

/** What Ready says of all the others; `spoken` when a step of the operator speaks for Ready itself. */
export type ReadyTexts = 'byStep' | { readonly allReady: ReadyText; readonly notAllReady: ReadyText };

type ReadyText = Readonly<Pick<Condition, 'reason' | 'message'>>;

/** All that an operator says about a resource, as data: tests hold it against what it really says, docs print it. */
export interface Contract {
  readonly conditions: readonly ConditionRow[];
  readonly events: readonly EventRow[];
  /** Default: `defaultReady`. */
  readonly ready?: ReadyTexts;
}

/** Is notified of everything that conditions and Events say. */
export interface ContractObserver {
  condition(said: Omit<ConditionRow, 'suffix' | 'unobserved'>): void;
  event(said: EventRow): void;
}

/** What Ready says unless the operator has texts of its own. */
export const defaultReady = {
  allReady: { reason: 'AllReady', message: 'All sub-resources are ready' },
  notAllReady: { reason: 'NotAllReady', message: 'One or more sub-conditions are not ready' },
} as const satisfies ReadyTexts;
