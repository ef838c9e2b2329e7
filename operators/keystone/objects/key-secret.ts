// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Keystone } from '../keystone.ts';
import { commonLabels } from '../names.ts';

/** A repository of fresh keys, at least three: `0` is staged, the highest is the primary. */
export function keySecret(keystone: Keystone, name: string, maxActiveKeys: number, random: Random): Secret {
  const data: Record<string, string> = {};
  for (let index = 0; index < Math.max(maxActiveKeys, 3); index++) {
    data[String(index)] = Buffer.from(fernetKey(random)).toString('base64');
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: commonLabels(keystone) },
    type: 'Opaque',
    data,
  };
}

/** Thirty-two random bytes in padded base64url, as Python's Fernet reads them: 44 characters. */
function fernetKey(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
