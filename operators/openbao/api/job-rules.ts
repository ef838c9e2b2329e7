// SPDX-License-Identifier: Apache-2.0
import type { CelRule } from './cel-rule.ts';

/** Hosts that a Job must not be sent to: its own pod, its node, and addresses in other notations. */
const privateHosts = [
  '([^/:]*[.])?localhost',
  '127[.][0-9a-fx.]+',
  '169[.]254[.][0-9a-fx.]+',
  '[0-9]+([.][0-9]+){0,2}',
  '0[0-9a-fx.]+',
  '\\[[0:]*:[0:]*1?\\]',
  '\\[[0:]*:ffff:[^/]*\\]',
  '\\[fe[89ab][0-9a-f]:[^/]*\\]',
].join('|');

/** Suffixes of the Secrets of a cluster that no Job may read. */
const guardedSecrets = ['-unseal-key', '-root-token', '-tls-ca', '-tls-server'];

/** A schedule is written in the five fields of cron; what they say is checked when it is planned. */
export const scheduleRule = (schedule: string): CelRule => ({
  expression: `${schedule}.matches(r'^\\S+\\s+\\S+\\s+\\S+\\s+\\S+\\s+\\S+$')`,
  message: 'must have the five fields of cron: minute, hour, day of month, month, day of week, for example "0 3 * * *"',
});

/** Snapshots are sent to a server, never to the pod itself or its node. */
export const endpointRule = (endpoint: string): CelRule => ({
  expression:
    `${endpoint}.matches(r'^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?(/\\S*)?$') && ` +
    `!${endpoint}.matches(r'(?i)^https?://(${privateHosts})[.]?(:|/|$)')`,
  message:
    'must be an http or https URL of a storage server, and not of the pod itself or its node: localhost, 127.0.0.0/8, ::1, ' +
    '169.254.0.0/16 and bare numbers are refused',
});

/** A Job that makes snapshots can log in to OpenBao. */
export const backupAuthRule = (backup: string): CelRule => ({
  expression: `has(${backup}.jwtAuthRole) || has(${backup}.tokenSecretRef)`,
  message: 'spec.backup needs jwtAuthRole or tokenSecretRef: set one of them',
});

/** A Job that makes snapshots can log in to the storage server. */
export const storageAuthRule = (target: string): CelRule => ({
  expression: `has(${target}.roleArn) || has(${target}.credentialsSecretRef)`,
  message: 'spec.backup.target needs roleArn or credentialsSecretRef: set one of them',
});

/** A Secret that is handed to a Job is none of a cluster's own. */
export const jobSecretRule = (name: string): CelRule => ({
  expression: `!${name}.matches(r'(${guardedSecrets.join('|')})$')`,
  message: `must not be a Secret of a cluster (${guardedSecrets.join(', ')}): name another Secret, with this one credential`,
});
