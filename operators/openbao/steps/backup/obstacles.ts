// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { backingUp } from '../../conditions/backing-up.ts';
import { tokenSecretOf, type BackupSpec } from '../../objects/backup/backup-spec.ts';
import { isServing, labelOf, serverPods } from '../servers.ts';
import type { BackupContext } from './backup-context.ts';

/** What a snapshot must wait for; it ends by itself. A halted upgrade may stay so for days, and holds nothing back. */
export function obstacleTo({ object: { status = {} }, select }: Pick<BackupContext, 'object' | 'select'>) {
  const { initialized, upgrade } = status;
  if (initialized !== true) return 'the initialisation of the cluster';
  if (upgrade !== undefined && upgrade.lastErrorReason === undefined)
    return `the upgrade to ${upgrade.targetVersion ?? 'another version'}`;
  const leads = select(serverPods).some((pod) => isServing(pod) && labelOf(pod, 'active') === true);
  return leads ? undefined : 'a pod that leads';
}

/** The Secrets that a Job gets. */
export const backupSecrets = ({ spec: { backup } }: OpenBaoCluster): string[] =>
  backup === undefined
    ? []
    : [tokenSecretOf(backup), backup.target.credentialsSecretRef?.name].filter((name) => name !== undefined);

/** What is reported while a Secret is missing without which a Job could not start, or would fail. */
export function missingSecret(backup: BackupSpec, { get }: Pick<BackupContext, 'get'>) {
  const name = tokenSecretOf(backup);
  if (name !== undefined && (get(Secret, name)?.data?.['token'] ?? '') === '') return backingUp.noToken({ name });
  const { credentialsSecretRef, roleArn } = backup.target;
  const isNeeded = credentialsSecretRef !== undefined && roleArn === undefined;
  return isNeeded && get(Secret, credentialsSecretRef.name) === undefined
    ? backingUp.noCredentials({ name: credentialsSecretRef.name })
    : undefined;
}

const secretKeys = ['token', 'secretAccessKey', 'sessionToken'];

/** What no text of a Job may repeat. */
export const secretValues = ({ object, get }: Pick<BackupContext, 'object' | 'get'>): SecretValue[] =>
  backupSecrets(object).flatMap((name) => {
    const { data = {} } = get(Secret, name) ?? {};
    return secretKeys.flatMap((key) => {
      const value = Buffer.from(data[key] ?? '', 'base64').toString();
      return value === '' ? [] : [new SecretValue(value)];
    });
  });
