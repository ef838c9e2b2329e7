// SPDX-License-Identifier: Apache-2.0
import type { AdmissionPolicy } from '@forge/runtime/webhook/admission-policy.ts';
import { configLimitRules, configRules } from '../api/config-rules.ts';
import { backupAuthRule, endpointRule, jobSecretRule, scheduleRule, storageAuthRule } from '../api/job-rules.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { storageRule } from '../api/root-rules.ts';
import { ofField, whereChanged, whereGiven } from './optional-rule.ts';

const backup = 'object.spec.backup';
const config = 'object.spec.config';
const settings = { config, version: 'object.spec.version' };

const jobSecrets = [
  `${backup}.tokenSecretRef.name`,
  `${backup}.target.credentialsSecretRef.name`,
  'object.spec.upgrade.tokenSecretRef.name',
];

/** What the API server refuses, also where the definition of the kind is older than these rules. */
export const openbaoPolicy: AdmissionPolicy = {
  name: 'openbao-operator-validate-openbaocluster',
  kind: OpenBaoCluster,
  rules: [
    {
      expression: `!has(${backup}) || (has(${backup}.executorImage) && ${backup}.executorImage != '')`,
      message: 'spec.backup.executorImage is required: name the image of the Jobs that make snapshots',
    },
    ...[...configLimitRules(settings), ...configRules(settings)].map((rule) => whereGiven(config, rule)),
    ofField(`${backup}.schedule`, scheduleRule(`${backup}.schedule`)),
    whereGiven(backup, backupAuthRule(backup)),
    ofField(`${backup}.target.endpoint`, endpointRule(`${backup}.target.endpoint`)),
    whereGiven(`${backup}.target`, storageAuthRule(`${backup}.target`)),
    whereChanged(storageRule('object', 'oldObject')),
    ...jobSecrets.map((path) => ofField(path, jobSecretRule(path))),
  ],
};
