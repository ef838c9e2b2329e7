// SPDX-License-Identifier: Apache-2.0
import type { AdmissionPolicy } from '@forge/runtime/webhook/admission-policy.ts';
import type { CelRule } from '../api/cel-rule.ts';
import { configLimitRules, configRules, ordinarySettings } from '../api/config-rules.ts';
import { backupAuthRule, endpointRule, jobSecretRule, scheduleRule, storageAuthRule } from '../api/job-rules.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { storageRules } from '../api/root-rules.ts';
import { ofField, together, whereChanged, whereGiven } from './optional-rule.ts';

const config = 'object.spec.config';
const settings = { config, version: 'object.spec.version' };
const backup = 'object.spec.backup';
const jobSecret = (path: string, present?: string): CelRule => ofField(path, jobSecretRule(path), present);

const configuration: readonly CelRule[] = [...configLimitRules(settings), ...configRules(settings)];

const snapshots: readonly CelRule[] = [
  {
    expression: `has(${backup}.executorImage) && ${backup}.executorImage != ''`,
    message: 'spec.backup.executorImage is required: name the image of the Jobs that make snapshots',
  },
  ofField(`${backup}.schedule`, scheduleRule(`${backup}.schedule`), backup),
  backupAuthRule(backup),
  ofField(`${backup}.target.endpoint`, endpointRule(`${backup}.target.endpoint`), backup),
  whereGiven(`${backup}.target`, storageAuthRule(`${backup}.target`), backup),
  jobSecret(`${backup}.tokenSecretRef.name`, backup),
  jobSecret(`${backup}.target.credentialsSecretRef.name`, backup),
];

const storage = storageRules('object', 'oldObject').map(([, rule]) => rule);
const upgrades = jobSecret('object.spec.upgrade.tokenSecretRef.name');

/** Every rule of the policy, each with its own message. */
export const policyRules: readonly CelRule[] = [...configuration, ...snapshots, ...storage.map(whereChanged), upgrades];

/** What the API server refuses, also where the definition of the kind is older than these rules. */
export const openbaoPolicy: AdmissionPolicy = {
  name: 'openbao-operator-validate-openbaocluster',
  kind: OpenBaoCluster,
  rules: [
    whereGiven(config, together(configuration, ordinarySettings(settings))),
    whereGiven(backup, together(snapshots)),
    whereChanged(together(storage)),
    upgrades,
  ],
};
