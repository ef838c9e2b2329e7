// SPDX-License-Identifier: Apache-2.0
import type { Random } from '@forge/runtime/environment/random.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { targetOf, type OperationCounts, type FaultKind, type Fault, type FaultPlan } from './fault-plan.ts';

/** The operation counts of each process in the baseline run. */
export type ProcessOperations = ReadonlyMap<string, OperationCounts>;

const maxFaults = 5;
// A process with faults does more than in the baseline run.
const headroom = 1.3;

/** The fault plan of a seed: one to five faults, or `count`, at random operations of the processes. */
export function drawPlan(seed: number, operations: ProcessOperations, count?: number): FaultPlan {
  const random = seededRandom(seed);
  const targets = targetsOf(operations);
  const wanted = targets.length === 0 ? 0 : (count ?? upTo(random, maxFaults));
  return { seed, faults: Array.from({ length: wanted }, () => drawFault(random, targets)) };
}

/** Manual changes need the key of an object, which operation counts do not contain: `drawnPlans` in sweep.ts adds them. */
type DrawnFault = Exclude<Fault['fault'], 'hand'>;

/** A process and operation at which a fault can be injected. */
interface FaultTarget {
  fault: DrawnFault;
  process: string;
  count: number;
}

/** The possible targets of each kind of fault. */
function targetsOf(operations: ProcessOperations): FaultTarget[][] {
  return Object.keys(draw)
    .map((name) => name as DrawnFault)
    .map((fault) => [...operations].map(([process, counts]) => ({ fault, process, count: counts[targetOf[fault]] })))
    .map((targets) => targets.filter(({ count }) => count > 0))
    .filter((targets) => targets.length > 0);
}

function drawFault(random: Random, targets: readonly FaultTarget[][]): Fault {
  const { fault, process, count } = oneOf(random, oneOf(random, targets));
  const at = upTo(random, Math.ceil(count * headroom));
  return { process, at, ...draw[fault](random) };
}

const when = (random: Random) => oneOf(random, ['before', 'after'] as const);

const draw: { [Name in DrawnFault]: (random: Random) => FaultKind & { fault: Name } } = {
  crash: (random) => ({ fault: 'crash', when: when(random) }),
  freeze: (random) => ({ fault: 'freeze', for: 1000 * upTo(random, 60) }),
  cut: (random) => ({ fault: 'cut', when: when(random) }),
  jump: (random) => ({ fault: 'jump', by: oneOf(random, [-1, 1] as const) * 60_000 * upTo(random, 120) }),
  refuse: (random) => ({ fault: 'refuse', code: oneOf(random, [409, 429, 500] as const) }),
  slow: (random) => ({ fault: 'slow', for: 500 * upTo(random, 30) }),
  shut: (random) => ({ fault: 'shut', code: oneOf(random, [429, 500] as const) }),
  stale: (random) => ({ fault: 'stale', behind: upTo(random, 10) }),
  break: () => ({ fault: 'break' }),
  expire: () => ({ fault: 'expire' }),
  hang: () => ({ fault: 'hang' }),
  lag: () => ({ fault: 'lag' }),
  hold: () => ({ fault: 'hold' }),
  outage: (random) => ({ fault: 'outage', calls: upTo(random, 3) }),
  'crash-at-call': (random) => ({ fault: 'crash-at-call', when: when(random) }),
  'lost-reply': () => ({ fault: 'lost-reply' }),
};

function upTo(random: Random, most: number): number {
  return 1 + Math.floor(random.number() * most);
}

function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random.number() * choices.length)] as T;
}
