// SPDX-License-Identifier: Apache-2.0
import { isServing, labelOf, serverPods } from '../servers.ts';
import type { BackupContext } from '../snapshots/backup-context.ts';
import { haltOf, type UpgradeStep } from '../upgrade/upgrade-state.ts';

/** While an upgrade does this, a pod may be missing. */
const isReplacing: ReadonlySet<UpgradeStep> = new Set([
  'StepDown',
  'Transfer',
  'Release',
  'Ready',
  'Health',
  'RaftSync',
]);

/**
 * What a snapshot must wait for; it ends by itself. An upgrade that is halted or waits between two pods may stay so for days, and
 * holds nothing back: it waits for the snapshot in turn.
 */
export function obstacleTo({ object: { status = {} }, select }: Pick<BackupContext, 'object' | 'select'>) {
  const { initialized, upgrade } = status;
  if (initialized !== true) return 'the initialisation of the cluster';
  if (upgrade?.step !== undefined && isReplacing.has(upgrade.step) && haltOf(upgrade) === undefined)
    return `the upgrade to ${upgrade.targetVersion ?? 'another version'}`;
  const leads = select(serverPods).some((pod) => isServing(pod) && labelOf(pod, 'active') === true);
  return leads ? undefined : 'a pod that leads';
}
