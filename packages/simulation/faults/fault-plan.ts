// SPDX-License-Identifier: Apache-2.0

/** The process crashes before or after its write, and restarts a moment later, or after `away` milliseconds. */
interface Crash {
  fault: 'crash';
  when: 'before' | 'after';
  away?: number;
}

/**
 * The clock that the process reads jumps by this many milliseconds after its write, backwards when negative; timers are
 * not affected.
 */
interface Jump {
  fault: 'jump';
  by: number;
}

/** The process freezes for this many milliseconds after its write, while time passes. */
interface Freeze {
  fault: 'freeze';
  for: number;
}

/** The connection breaks before the server receives the write, or after it is done. */
interface Cut {
  fault: 'cut';
  when: 'before' | 'after';
}

/**
 * A manual change of an object: deletion with this propagation policy, removal of its labels, or of its data or spec
 * fields.
 */
export type HandAction = 'Background' | 'Foreground' | 'Orphan' | 'unlabel' | 'empty';

/**
 * A person changes a child of the resource by hand after the write: `on` is its key, such as
 * `deployments.apps/openstack/identity`.
 */
export interface Hand {
  fault: 'hand';
  on: string;
  does: HandAction;
}

/** The server rejects the request. */
interface Refuse {
  fault: 'refuse';
  code: 409 | 429 | 500;
}

/** The response is delayed by this many milliseconds. */
interface Slow {
  fault: 'slow';
  for: number;
}

/** The list is this many changes behind, but not older than what the process has seen. */
interface Stale {
  fault: 'stale';
  behind: number;
}

/** The server rejects the watch. */
interface Shut {
  fault: 'shut';
  code: 429 | 500;
}

/**
 * The watch breaks before the event; it breaks and the server has compacted its history (410); or it stalls, as over a
 * dead connection.
 */
interface BrokenWatch {
  fault: 'break' | 'expire' | 'hang';
}

/**
 * The event and all later ones in its collection are delayed: until all else has settled, before users continue; or to
 * the end of the run.
 */
interface DelayedEvents {
  fault: 'lag' | 'hold';
}

/** How events are delayed. */
export type Delay = DelayedEvents['fault'];

/** This external call and the following ones fail, `calls` in total, without any effect. */
interface Outage {
  fault: 'outage';
  calls: number;
}

/** The process crashes before it sends the external call, or after the call took effect and before its reply arrives. */
interface CrashAtCall {
  fault: 'crash-at-call';
  when: 'before' | 'after';
}

/** The external call takes effect, but the connection breaks before its reply arrives. */
interface LostReply {
  fault: 'lost-reply';
}

/** The kinds of faults, by the operation that they affect. */
interface FaultKinds {
  write: Crash | Freeze | Cut | Jump | Hand;
  request: Refuse | Slow;
  list: Stale;
  watch: Shut;
  event: BrokenWatch | DelayedEvents;
  call: Outage | CrashAtCall | LostReply;
}

/** The counted operations of a process, which faults refer to by number; timer-driven ones are not counted. */
export type Operation = keyof FaultKinds;

/** The number of operations of each kind. */
export type OperationCounts = Record<Operation, number>;

/** Any kind of fault. */
export type FaultKind = FaultKinds[Operation];

/**
 * A fault at the `at`-th operation of a process, across its restarts; a manual change at 0 happens at rest, before the
 * first user step.
 */
export type FaultOf<C extends Operation> = FaultKinds[C] & { process: string; at: number };

/** Any fault. */
export type Fault = FaultOf<Operation>;

/** Everything that determines a run: the seed orders concurrent operations, and the faults are injected. */
export interface FaultPlan {
  seed: number;
  faults: readonly Fault[];
}

/** The seed of the baseline run. */
export const baselineSeed = 0;

/** The operation that each fault affects. */
export const targetOf: Readonly<Record<Fault['fault'], Operation>> = {
  crash: 'write',
  freeze: 'write',
  cut: 'write',
  jump: 'write',
  hand: 'write',
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
  'crash-at-call': 'call',
  'lost-reply': 'call',
};
