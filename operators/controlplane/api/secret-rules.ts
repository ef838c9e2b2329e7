// SPDX-License-Identifier: Apache-2.0
import { isNameWith, madeSecretMessage } from '@forge/keystone/api/secret-names.ts';
import { orDefault } from '@forge/kube/schema/checked-rule.ts';
import { ratchetingRule, type Rules } from '@forge/kube/schema/rules.ts';
import { defaults } from './defaults.ts';
import { madeSecretsOf, rootPasswordOf, syncedSecretNamesOf } from './secret-names.ts';

/** Fields in which users name a Secret. */
export const secretFields = {
  cloudsYaml: 'spec.korc.adminCredential.cloudCredentialsRef.secretName',
  adminPassword: 'spec.korc.adminCredential.passwordSecretRef.name',
  database: 'spec.infrastructure.database.secretRef.name',
} as const;

export type SecretField = keyof typeof secretFields;

/** All pairs of them; the field that is reported comes first. */
export const secretPairs: readonly (readonly [SecretField, SecretField])[] = [
  ['cloudsYaml', 'adminPassword'],
  ['cloudsYaml', 'database'],
  ['adminPassword', 'database'],
];

/** The message about two fields that name the same Secret. */
export const sharedSecretMessage = (secret: string, other: SecretField) =>
  `Secret ${secret} is named by ${secretFields[other]}, too; give each field a Secret of its own`;

const nameIn = (field: SecretField) =>
  field === 'cloudsYaml'
    ? orDefault(`self.${secretFields[field]}`, defaults.cloudsYaml)
    : `self.${secretFields[field]}`;

const inFields = (message: (secret: string) => string, field: SecretField) => ({
  message: message('of this name'),
  messageExpression: `'${message('%s')}'.format([${nameIn(field)}])`,
});

const cluster = 'self.spec.infrastructure.database.clusterRef';
const isSynced = (name: string) => isNameWith(Object.values(syncedSecretNamesOf('')), name);
const isRootPassword = (name: string) =>
  `${name} == ${orDefault(`${cluster}.name`, defaults.databaseCluster)} + '${rootPasswordOf('')}'`;

const isMade = (name: string) =>
  `(${isNameWith(madeSecretsOf('', undefined), name)}) || ` +
  `(has(${cluster}) && ((${isSynced(name)}) || ${isRootPassword(name)}))`;

/** Names of Secrets that equal each other, or one that is made for the ControlPlane: External Secrets would empty it. */
export const secretRules: readonly Rules[] = [
  ...(Object.keys(secretFields) as SecretField[]).map((field) =>
    ratchetingRule([`.${secretFields[field]}`], `!(${isMade(nameIn(field))})`, inFields(madeSecretMessage, field)),
  ),
  ...secretPairs.map(([one, other]) =>
    ratchetingRule(
      [`.${secretFields[one]}`, `.${secretFields[other]}`],
      `${nameIn(one)} != ${nameIn(other)}`,
      inFields((secret) => sharedSecretMessage(secret, other), one),
    ),
  ),
];
