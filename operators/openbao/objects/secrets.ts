// SPDX-License-Identifier: Apache-2.0
// Without one of these Secrets the data is lost or cannot be reached: neither has an owner, so that nothing collects them.
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

/** The Secret with the key of the static seal: 32 raw bytes, which the server reads as they are. */
export function unsealKeySecret(cluster: OpenBaoCluster, key: SecretValue | Uint8Array): Secret {
  const value = key instanceof SecretValue ? key : new SecretValue(key);
  return lastingSecret(cluster, namesOf(cluster).unsealKeySecret, { key: value.base64() });
}

/** The key in its Secret; empty when it has none. */
export const unsealKeyIn = ({ data }: Secret): SecretValue => SecretValue.fromBase64(data?.['key'] ?? '');

/** SHA-256 of a key. It identifies the key and reveals nothing of it, because keys are random. */
export const fingerprintOf = (key: SecretValue): string => createHash('sha256').update(key.bytes()).digest('hex');

/** The Secret with the root token; without a token, an object for the dry run that shows whether it could be stored. */
export const rootTokenSecret = (cluster: OpenBaoCluster, token: SecretValue | undefined): Secret =>
  lastingSecret(cluster, namesOf(cluster).rootTokenSecret, { token: token?.base64() ?? '' });

const lastingSecret = (cluster: OpenBaoCluster, name: string, data: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: labelsOf(cluster) },
  type: 'Opaque',
  immutable: true,
  data,
});
