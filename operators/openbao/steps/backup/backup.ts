// SPDX-License-Identifier: Apache-2.0
// A Job makes each snapshot, of which status holds the name before it exists and until its end is accounted for: so it runs once,
// and counts once, whatever becomes of the operator or the Job. Its pod does the work; the operator has no part in the data.
import { Job, Secret } from '@forge/kube/kinds/builtin.ts';
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { clusterLabel } from '../../api/names.ts';
import { backingUp, backingUpCondition } from '../../conditions/backing-up.ts';
import { init } from '../cluster/init.ts';
import { serverPods } from '../servers.ts';
import { backupPods, knownBackups } from '../snapshots/backup-context.ts';
import { backupSecrets } from '../snapshots/job-secrets.ts';
import { measureBackups } from '../snapshots/measure-backups.ts';
import { step } from '../step.ts';
import { snapshotUnderWay } from '../upgrade/pre-upgrade-snapshot.ts';
import { followSnapshot } from './follow-snapshot.ts';
import { planSnapshot } from './plan-snapshot.ts';

/** Makes snapshots on schedule, and when somebody asks for one. */
export const backup = step({
  name: 'Backup',
  condition: backingUpCondition,
  after: [init],
  owns: [owned(Job, ['create', 'remove'], { selector: clusterLabel })],
  reads: [serverPods, backupPods, reads(Secret, backupSecrets)],
  writes: ['backup'],
  async run(context) {
    const { object: cluster } = context;
    const { nextScheduledBackup: _, ...known } = knownBackups(cluster);
    const { backup: wanted } = cluster.spec;
    if (wanted !== undefined || cluster.status?.backup !== undefined) measureBackups(context);
    if (known.attempt !== undefined) return await followSnapshot(known.attempt, context);
    // That before an upgrade is made by the upgrade; a snapshot that is due waits for it.
    const before = snapshotUnderWay(cluster);
    if (before !== undefined) return degraded(backingUp.inProgress({ job: before.name }));
    if (wanted !== undefined) return await planSnapshot(wanted, context);
    return ready(backingUp.none(), { status: cluster.status?.backup === undefined ? {} : { backup: known } });
  },
});
