// SPDX-License-Identifier: Apache-2.0

/** The process ends before or after its write, without a farewell, and starts anew. */
interface Crash {
  fault: 'crash';
  when: 'before' | 'after';
}

/** The process stands still for so many milliseconds once its write is done, while time goes on. */
interface Freeze {
  fault: 'freeze';
  for: number;
}

/** The connection breaks before the server hears the write, or after it is done. */
interface Cut {
  fault: 'cut';
  when: 'before' | 'after';
}

/** The server refuses the request. */
interface Refuse {
  fault: 'refuse';
  code: 409 | 429 | 500;
}

/** The answer takes so many milliseconds. */
interface Slow {
  fault: 'slow';
  for: number;
}

/** The list shows what was so many changes ago, but nothing older than what the process knows. */
interface Stale {
  fault: 'stale';
  behind: number;
}

/** The server does not open the watch. */
interface Shut {
  fault: 'shut';
  code: 429 | 500;
}

/**
 * The watch breaks before the event; it breaks and the server has forgotten how to go on (410); or it tells nothing any
 * more, as over a dead connection.
 */
interface BrokenWatch {
  fault: 'break' | 'expire' | 'hang';
}

/**
 * The event and all that follow it in its collection come late: when all else has settled, before users go on; or at
 * the end of the run, when they have done everything.
 */
interface DelayedEvents {
  fault: 'lag' | 'hold';
}

/** How events are delayed. */
export type Delay = DelayedEvents['fault'];

/** This call to the outside and the next ones fail, so many in all. */
interface Outage {
  fault: 'outage';
  calls: number;
}

/** What goes wrong, by what it meets. */
interface FaultKinds {
  write: Crash | Freeze | Cut;
  request: Refuse | Slow;
  list: Stale;
  watch: Shut;
  event: BrokenWatch | DelayedEvents;
  call: Outage;
}

/** What of a process's doings is counted, so that a fault can say which one it meets; what comes by time alone is not. */
export type Operation = keyof FaultKinds;

/** How often each of them happened. */
export type OperationCounts = Record<Operation, number>;

/** What goes wrong, whatever it meets. */
export type FaultKind = FaultKinds[Operation];

/** A fault that meets such a doing: the `at`-th of the process, over all its lives. */
export type FaultOf<C extends Operation> = FaultKinds[C] & { process: string; at: number };

/** Any fault. */
export type Fault = FaultOf<Operation>;

/** All that decides how a run goes: the order of what could happen at the same time, and what goes wrong. */
export interface FaultPlan {
  seed: number;
  faults: readonly Fault[];
}

/** What each fault meets. */
export const targetOf: Readonly<Record<Fault['fault'], Operation>> = {
  crash: 'write',
  freeze: 'write',
  cut: 'write',
  refuse: 'request',
  slow: 'request',
  shut: 'watch',
  stale: 'list',
  break: 'event',
  expire: 'event',
  hang: 'event',
  lag: 'event',
  hold: 'event',
  outage: 'call',
};
