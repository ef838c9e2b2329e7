// SPDX-License-Identifier: Apache-2.0
import { dirname } from 'node:path/posix';
import type { Volume, VolumeProjection } from '@forge/kube/generated/types.ts';
import { executorPaths } from '../../api/executor/executor-environment.ts';
import { namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { Mounted } from '../server-volumes.ts';
import { tokenSecretOf, type BackupSpec } from './backup-spec.ts';

/** Files that their owner may read, and nobody else; the kubelet lets the group of the pod do so, too. */
const ownerOnly = 0o400;

/** Where a Job finds the token that it shows to the storage server. */
export const webIdentityTokenFile = '/var/run/secrets/aws/token';

/** How long a token is valid; the kubelet renews it before. */
const tokenSeconds = 3600;

/** The files of a Job: credentials, and the CA of the servers without its key. */
export function backupVolumes(cluster: OpenBaoCluster, backup: BackupSpec): Mounted[] {
  const { jwtAuthRole, target } = backup;
  const tokenSecret = tokenSecretOf(backup);
  return [
    authority(cluster),
    ...(target.credentialsSecretRef === undefined
      ? []
      : [credentials(target.credentialsSecretRef.name, target.roleArn !== undefined)]),
    ...(target.roleArn === undefined ? [] : [token('aws-token', 'sts.amazonaws.com', webIdentityTokenFile)]),
    ...(jwtAuthRole === undefined ? [] : [token('openbao-token', 'openbao-internal', executorPaths.jwtPath)]),
    ...(tokenSecret === undefined ? [] : [staticToken(tokenSecret)]),
  ];
}

const readOnly = (mountPath: string, volume: Volume): Mounted => ({
  volume,
  mount: { name: volume.name, mountPath, readOnly: true },
});

/** With ACME it is there only if the CA is not a well-known one; with External certificates former ones may be trusted, too. */
function authority(cluster: OpenBaoCluster): Mounted {
  const { caSecret, trustedAuthorities } = namesOf(cluster);
  const { mode } = cluster.spec.tls;
  const items = [{ key: 'ca.crt', path: 'ca.crt' }];
  const volume =
    mode === 'External'
      ? { configMap: { name: trustedAuthorities, items } }
      : { secret: { secretName: caSecret, items, ...(mode === 'ACME' && { optional: true }) } };
  return readOnly(dirname(executorPaths.caPath), { name: 'tls-ca', ...volume });
}

/** A role takes their place; the CA of the storage server may stand beside them. */
const credentials = (secretName: string, optional: boolean): Mounted =>
  readOnly(executorPaths.credentialsPath, {
    name: 'credentials',
    secret: { secretName, defaultMode: ownerOnly, ...(optional && { optional }) },
  });

const staticToken = (secretName: string): Mounted =>
  readOnly(dirname(executorPaths.tokenPath), {
    name: 'token',
    secret: { secretName, defaultMode: ownerOnly, items: [{ key: 'token', path: 'token' }] },
  });

/** A token of the pod's ServiceAccount for this audience, in this file. */
function token(name: string, audience: string, file: string): Mounted {
  const folder = dirname(file);
  const source: VolumeProjection = {
    serviceAccountToken: { audience, expirationSeconds: tokenSeconds, path: file.slice(folder.length + 1) },
  };
  return readOnly(folder, { name, projected: { defaultMode: ownerOnly, sources: [source] } });
}
