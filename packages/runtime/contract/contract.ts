// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/object.ts';
import type { Duration } from '../duration.ts';
import type { EventNote } from '../event-recorder.ts';

/** One thing that a condition may say. */
export interface ConditionRow extends Readonly<Pick<Condition, 'status' | 'reason'>> {
  /** `*` is any condition of the resource. */
  readonly type: string;
  /** `{name}` stands for any text. */
  readonly message: string;
  /** When the resource is looked at again although nothing changed: not at all, after a time, or as failures are. */
  readonly recheck?: Duration | 'backoff';
}

/** One Event that may be sent; `{name}` in its message stands for any text. */
export type EventRow = Readonly<EventNote>;

/** All that an operator says about a resource, as data: tests hold it against what it really says, docs print it. */
export interface Contract {
  readonly conditions: readonly ConditionRow[];
  readonly events: readonly EventRow[];
}

/** Is told everything that conditions and Events say. */
export interface ContractObserver {
  condition(said: ConditionRow): void;
  event(said: EventRow): void;
}

/** What the engine itself says about every resource. */
export const engineConditions: readonly ConditionRow[] = [
  { type: 'Ready', status: 'True', reason: 'AllReady', message: 'All sub-resources are ready' },
  { type: 'Ready', status: 'False', reason: 'NotAllReady', message: 'One or more sub-conditions are not ready' },
  {
    type: '*',
    status: 'False',
    reason: 'ApplyRejected',
    message: '{kind} {name} was refused: {reason}',
    recheck: 'backoff',
  },
];
