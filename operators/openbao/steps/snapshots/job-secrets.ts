// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { backingUp } from '../../conditions/backing-up.ts';
import { tokenSecretOf, type BackupSpec } from '../../objects/backup/backup-spec.ts';
import type { BackupContext } from './backup-context.ts';

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
