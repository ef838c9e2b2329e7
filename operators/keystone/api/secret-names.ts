// SPDX-License-Identifier: Apache-2.0
import { ratchetingRule, type Rules } from '@forge/kube/schema/rules.ts';

/** Names of the Secrets that the operator makes for the Keystone of this name; each begins with it. */
export const secretNamesOf = (name: string) => ({
  digestKey: `${name}-digest-key`,
  dbConnection: `${name}-db-connection`,
  fernetKeys: `${name}-fernet-keys`,
  fernetStaging: `${name}-fernet-keys-rotation`,
  credentialKeys: `${name}-credential-keys`,
  credentialStaging: `${name}-credential-keys-rotation`,
});

/** The message about a reference to one of them. */
export const madeSecretMessage = (secret: string) =>
  `Secret ${secret} is made by an operator for another purpose; name another Secret`;

/** A CEL expression about a resource: whether the text is its name followed by one of these suffixes. */
export const isNameWith = (suffixes: readonly string[], text: string) =>
  `${text}.startsWith(self.metadata.name) && ` +
  `${text}.substring(size(self.metadata.name)) in [${suffixes.map((suffix) => `'${suffix}'`).join(', ')}]`;

const suffixes = Object.values(secretNamesOf(''));

/** Refuse a Secret of the user that has the name of one that the operator makes. */
export const secretRules: readonly Rules[] = [
  '.spec.bootstrap.adminPasswordSecretRef.name',
  '.spec.database.secretRef.name',
].map((field) =>
  ratchetingRule([field], `!(${isNameWith(suffixes, `self${field}`)})`, {
    message: madeSecretMessage('of this name'),
    messageExpression: `'${madeSecretMessage('%s')}'.format([self${field}])`,
  }),
);
