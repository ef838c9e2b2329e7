// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, namesOf } from '../api/names.ts';

/** The key under which digests of credentials are made: without it nobody can test guesses against a digest. */
export function digestKeySecret(keystone: Keystone, random: Random): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: namesOf(keystone).digestKey, labels: commonLabels(keystone) },
    type: 'Opaque',
    // Another key would change every digest: pods would roll, and Jobs run again.
    immutable: true,
    data: { key: new SecretValue(random.bytes(32)).base64() },
  };
}

/** The key in such a Secret, if it holds one. */
export function digestKeyIn({ data }: Secret): SecretValue | undefined {
  const key = SecretValue.fromBase64(data?.['key'] ?? '');
  return key.bytes().length === 32 ? key : undefined;
}
