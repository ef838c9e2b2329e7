// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { checkpoint, degraded } from '@forge/runtime/steps/outcome.ts';
import { databaseReady } from '../../conditions/database.ts';
import { upgradeEvents } from '../../conditions/upgrade.ts';
import { imageOf } from '../../objects/pod.ts';
import type { DatabaseOutcome, ReleaseContext } from './database-context.ts';
import { abortFacts, isJobOf } from './expand-facts.ts';
import type { Upgrade, UpgradePhase } from './release-decision.ts';
import { isPhaseAtWork, phaseJobs, removePhases } from './stop-phases.ts';

/** The result of an abort: it is refused, in progress, or complete. */
export type Abort = 'refused' | { outcome: DatabaseOutcome } | { expandedRelease: string | undefined };

/**
 * Takes an upgrade back to the installed release.
 *
 * Guarantees: no phase that may be at work is interrupted; that the schema was expanded is recorded in status before the Job
 * that proves it is deleted; nothing is aborted once contract may have dropped what the old release reads.
 */
export async function abortUpgrade(phase: UpgradePhase, upgrade: Upgrade, context: ReleaseContext): Promise<Abort> {
  const { object: keystone, event } = context;
  if (hasContracted(upgrade, context)) return 'refused';
  const output = { image: imageOf(keystone, upgrade.from) };
  const waiting = { outcome: degraded(phaseCase(phase, upgrade), { output }) };
  if (await isPhaseAtWork(context)) return waiting;
  const facts = await abortFacts(upgrade, context);
  if (facts !== undefined) return { outcome: checkpoint(facts) };
  if (!(await removePhases(context))) return waiting;
  await event(upgradeEvents.aborted({ from: upgrade.from, target: upgrade.to }));
  return { expandedRelease: keystone.status?.expandedRelease };
}

/** Whether contract has begun. A Job of the upgrade proves it as well: an earlier version of the operator did not record it. */
function hasContracted(upgrade: Upgrade, context: ReleaseContext): boolean {
  return (
    context.object.status?.contractedRelease !== undefined ||
    phaseJobs(context).some(({ phase, job }) => phase === 'contract' && isJobOf(upgrade, job))
  );
}

/** The condition while a phase runs. */
export function phaseCase(phase: UpgradePhase, upgrade: Upgrade): Statement {
  switch (phase) {
    case 'Expanding':
      return databaseReady.expanding({ ...upgrade });
    case 'Migrating':
      return databaseReady.migrating({ ...upgrade });
    case 'RollingUpdate':
      return databaseReady.rollingOut({ ...upgrade });
    case 'Contracting':
      return databaseReady.contracting({ ...upgrade });
  }
}
