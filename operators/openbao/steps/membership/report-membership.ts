// SPDX-License-Identifier: Apache-2.0
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { degraded, ready, type Satisfied } from '@forge/runtime/steps/outcome.ts';
import { degradedCases } from '../../conditions/degraded.ts';
import { membershipRecheck, soon } from '../../conditions/rechecks.ts';
import { isUnknown, noReadingCredential, strangersAmong, type Decision, type Observed } from './decide-membership.ts';

/** How many servers run, and what people should know about them although nothing is wrong. */
export interface Membership {
  readonly replicas: number;
  readonly notice?: string;
}

/** The leader does it at once, and another one is elected within a second. */
const next = seconds(1);

/** What is reported after a decision, and what it waits for or failed with. */
export function reported(
  seen: Observed,
  decision: Decision,
  obstacle: string | undefined,
): Satisfied<Membership, object> {
  const { current, wanted, names } = seen;
  const output = { replicas: replicasAfter(decision, current), ...noticed(seen, decision, obstacle) };
  const recheck = obstacle === undefined ? recheckAfter(decision, seen) : soon;
  const extras = { output, ...(recheck !== undefined && { recheck }) };
  const [stranger] = strangersAmong(seen);
  if (stranger !== undefined)
    return degraded(degradedCases.peerRemoved({ pod: names.pod(stranger), claim: names.claim(stranger) }), extras);
  if (obstacle !== undefined && current !== wanted)
    return degraded(degradedCases.scaleDownHeld({ current, wanted, cause: obstacle }), extras);
  return ready(extras);
}

function replicasAfter(decision: Decision, current: number): number {
  if (decision.does === 'nothing') return decision.replicas;
  return decision.does === 'shrink' ? decision.ordinal : current;
}

function noticed({ raft, current, names }: Observed, decision: Decision, obstacle: string | undefined) {
  if (decision.does !== 'nothing')
    return { notice: obstacle ?? `server ${names.pod(decision.ordinal)} is leaving the Raft cluster` };
  // A single server is the only member.
  return isUnknown(raft) && current > 1 ? { notice: `Raft membership unknown: ${raft.unknown}` } : {};
}

function recheckAfter(decision: Decision, { raft }: Observed): Duration | undefined {
  switch (decision.does) {
    case 'step down':
    case 'remove':
      return next;
    case 'nothing':
      return isUnknown(raft) && raft.unknown === noReadingCredential ? undefined : membershipRecheck;
    case 'hold':
    case 'shrink':
    case 'await pod':
    case 'delete claim':
      return soon;
  }
}
