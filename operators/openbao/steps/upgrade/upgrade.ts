// SPDX-License-Identifier: Apache-2.0
// One machine replaces the pods of an initialised cluster, whatever the reason: version, image, configuration or resources. It
// keeps its place in status, and moves there before it does what it announces. A leader steps down before its pod goes, and no pod
// goes unless all others are healthy and in sync. It decides; the step that writes the StatefulSet follows its output.
import { Job, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { modified, tokens } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { clusterLabel, namesOf } from '../../api/names.ts';
import { degradedCondition } from '../../conditions/degraded.ts';
import { upgrading, upgradingCondition } from '../../conditions/upgrading.ts';
import { certificates } from '../certificates.ts';
import { credentialSecrets, rootToken } from '../credentials.ts';
import { dataClaims, liveClaims, serverPods } from '../servers.ts';
import { backupPods } from '../snapshots/backup-context.ts';
import { backupSecrets } from '../snapshots/job-secrets.ts';
import { step } from '../step.ts';
import { target } from '../target.ts';
import { beginUpgrade } from './begin-upgrade.ts';
import { continueUpgrade } from './continue-upgrade.ts';
import { measureUpgrade } from './measure-upgrade.ts';
import type { UpgradeOutcome } from './upgrade-context.ts';
import { atRest } from './upgrade-state.ts';

/** Replaces the pods, one by one, when the spec asks for another template. */
export const upgrade = step({
  name: 'Upgrade',
  condition: upgradingCondition,
  conditions: [degradedCondition],
  needs: { target, certificates },
  owns: [owned(Job, ['create', 'remove'], { selector: clusterLabel })],
  reads: [
    serverPods,
    dataClaims,
    liveClaims,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
    credentialSecrets,
    rootToken,
    backupPods,
    reads(Secret, backupSecrets),
  ],
  modifies: [tokens, modified(Pod, 'delete')],
  writes: ['upgrade', 'currentVersion', 'backup'],
  async run(context): Promise<UpgradeOutcome> {
    const { object: cluster, get } = context;
    const { status = {} } = cluster;
    const set = get(StatefulSet, namesOf(cluster).statefulSet);
    if (status.initialized !== true || set === undefined)
      return ready(upgrading.idle(), { output: { ...atRest, template: 'desired' } });
    measureUpgrade(status.upgrade, set.spec?.replicas ?? 0, context);
    return status.upgrade === undefined
      ? await beginUpgrade(set, context)
      : await continueUpgrade({ state: status.upgrade, set }, context);
  },
});
