// SPDX-License-Identifier: Apache-2.0
// The snapshot before an upgrade to another version. Status names it before its Job exists, and remembers how it ended: it is made
// once for each version, and one that failed is made again when somebody asks for it.
import { checkpoint, ready } from '@forge/runtime/steps/outcome.ts';
import { annotations, preUpgradeBackup, preUpgradeJobName } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { degradedCases } from '../../conditions/degraded.ts';
import { upgradeEvents, upgrading } from '../../conditions/upgrading.ts';
import { knownBackups, timeText, type BackupStatus } from '../snapshots/backup-context.ts';
import { missingSecret } from '../snapshots/job-secrets.ts';
import { countBackups } from '../snapshots/measure-backups.ts';
import { runSnapshot } from '../snapshots/snapshot-job.ts';
import { snapshotResult } from '../snapshots/snapshot-result.ts';
import { isSameVersion } from './observed.ts';
import type { UpgradeContext, UpgradeOutcome } from './upgrade-context.ts';
import type { Rollout } from './upgrade-state.ts';

type Snapshot = NonNullable<BackupStatus['preUpgrade']>;

/** The Job of the snapshot before an upgrade that is being made; undefined when none is. */
export function snapshotUnderWay(cluster: OpenBaoCluster): { readonly name: string; readonly time: Date } | undefined {
  const { preUpgrade } = knownBackups(cluster);
  if (preUpgrade?.startedAt === undefined || preUpgrade.result !== undefined) return undefined;
  const time = new Date(preUpgrade.startedAt);
  return { name: preUpgradeJobName(cluster, time), time };
}

/** What must be waited for until there is a snapshot of the data before an upgrade; undefined when there is one, or none is wanted. */
export async function snapshotBefore(output: Rollout, context: UpgradeContext): Promise<UpgradeOutcome | undefined> {
  const { object: cluster, needs, clock } = context;
  const { version } = needs.target;
  const { backup } = cluster.spec;
  const { currentVersion = version } = cluster.status ?? {};
  if (backup?.preUpgradeSnapshot !== true || isSameVersion(currentVersion, version)) return undefined;
  const known = knownBackups(cluster);
  const last = known.preUpgrade?.targetVersion === version ? known.preUpgrade : undefined;
  if (last?.result === 'Succeeded') return undefined;
  const { generation } = cluster.metadata;
  const retry = cluster.metadata.annotations?.[annotations.retryUpgrade];
  if (last?.result === 'Failed' && last.generation === generation && last.retry === retry)
    return failed(last, output, context);
  const missing = missingSecret(backup, context);
  if (missing !== undefined) return failed({ reason: missing.message }, output, context);
  const startedAt = timeText(clock.now());
  const preUpgrade: Snapshot = {
    targetVersion: version,
    startedAt,
    ...(generation !== undefined && { generation }),
    ...(retry !== undefined && { retry }),
  };
  return checkpoint({ backup: { ...known, preUpgrade } });
}

function failed({ reason }: Snapshot, output: Rollout, { needs }: UpgradeContext): UpgradeOutcome {
  const { version } = needs.target;
  const Degraded = degradedCases.preUpgradeBackupFailed({ version }, reason);
  return ready(upgrading.snapshotFailed({ version }), { output, conditions: { Degraded } });
}

/** Follows the Job to its end, also when the upgrade is not asked for any more. */
export async function followSnapshotBefore(
  job: NonNullable<ReturnType<typeof snapshotUnderWay>>,
  output: Rollout,
  context: UpgradeContext,
): Promise<UpgradeOutcome> {
  const { object: cluster, event } = context;
  const known = knownBackups(cluster);
  const { preUpgrade = {} } = known;
  const { targetVersion: version = '' } = preUpgrade;
  const run = { ...job, type: preUpgradeBackup, since: job.time.getTime() };
  const { state, job: live, problem, output: message } = await runSnapshot(run, context);
  if (state === 'complete' && live !== undefined) {
    const { stored, deleted } = snapshotResult(live, message);
    countBackups(context, { stored: 1, deleted });
    return checkpoint({ backup: { ...known, ...stored, preUpgrade: { ...preUpgrade, result: 'Succeeded' as const } } });
  }
  if (state === 'failed') {
    const reason = `Backup Job ${job.name} failed${problem === undefined ? '' : `: ${problem}`}`;
    await event(upgradeEvents.snapshotFailed({ cause: reason }));
    countBackups(context, { failed: 1 });
    return checkpoint({ backup: { ...known, preUpgrade: { ...preUpgrade, result: 'Failed' as const, reason } } });
  }
  const what = `the snapshot before it${problem === undefined ? '' : `: ${problem}`}`;
  return ready(upgrading.clusterNotReady({ version, what }), { output });
}
