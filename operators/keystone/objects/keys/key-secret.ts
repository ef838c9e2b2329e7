// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Keystone } from '../../api/keystone.ts';
import {
  commonLabels,
  keyNamesOf,
  keysForAnnotation,
  rotationCompletedAnnotation,
  rotationTargetLabel,
  type KeyType,
} from '../../api/names.ts';
import { keysForOf } from './key-claim.ts';

/** How many keys a repository holds. */
export const maxActiveKeysOf = ({ spec }: Keystone, keyType: KeyType): number =>
  Math.max((keyType === 'fernet' ? spec.fernet : spec.credentialKeys).maxActiveKeys, 3);

/** A repository of fresh keys, at least three: `0` is staged, the highest is the primary. */
export function keySecret(keystone: Keystone, keyType: KeyType, random: Random): Secret {
  const data: Record<string, string> = {};
  for (let index = 0; index < maxActiveKeysOf(keystone, keyType); index++) {
    data[String(index)] = Buffer.from(fernetKey(random)).toString('base64');
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: keyNamesOf(keystone, keyType).keys,
      labels: commonLabels(keystone),
      annotations: { [keysForAnnotation]: keysForOf(keystone) },
    },
    type: 'Opaque',
    data,
  };
}

/** Where the rotation Job leaves its keys; it alone writes `data`. */
export function stagingSecret(keystone: Keystone, keyType: KeyType): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: keyNamesOf(keystone, keyType).staging,
      labels: { ...commonLabels(keystone), [rotationTargetLabel]: `${keyType}-keys` },
    },
    type: 'Opaque',
  };
}

/** This version of the production Secret, with all its keys replaced by the staged ones. */
export function rotatedKeySecret(production: Secret, staging: Secret, completedAt: string): Secret {
  const { name, labels, annotations, finalizers, resourceVersion } = production.metadata;
  return {
    ...production,
    metadata: {
      name,
      ...(labels && { labels }),
      annotations: { ...annotations, [rotationCompletedAnnotation]: completedAt },
      ...(finalizers && { finalizers }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    data: staging.data ?? {},
  };
}

/** Thirty-two random bytes in padded base64url, as Python's Fernet reads them: 44 characters. */
function fernetKey(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
