// SPDX-License-Identifier: Apache-2.0
import type { Fault } from './fault-plan.ts';

/** What a run shows about the effect of its fault. */
export interface FaultEffects {
  /** Users continued after lagging events had arrived: events held back would have arrived after them. */
  usersContinued: boolean;
  /** The refused request would have changed something. */
  refusedChange: boolean;
  /** The process read its clock after it had jumped. */
  readClock: boolean;
}

/** Those of a run in which nothing has happened yet. */
export function noEffects(): FaultEffects {
  return { usersContinued: false, refusedChange: false, readClock: false };
}

/**
 * The faults that must be injected in the same place, too, after a run with this one. Others are left out because their
 * run would be the same, step by step, or cannot happen:
 *
 * - events held back arrive when lagging ones do, unless users continue in between;
 * - a clock that is set back has the effect of one that is ahead: none, if nobody reads it;
 * - no server answers 409 to a request that only reads.
 */
export function variantsOf(fault: Fault, effects: FaultEffects): Fault[] {
  if (fault.fault === 'lag') return effects.usersContinued ? [{ ...fault, fault: 'hold' }] : [];
  if (fault.fault === 'jump' && fault.by > 0) return effects.readClock ? [{ ...fault, by: -fault.by }] : [];
  if (fault.fault === 'refuse' && fault.code === 500) return effects.refusedChange ? [{ ...fault, code: 409 }] : [];
  return [];
}
