// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { rotationCompletedAnnotation, type KeyType } from '../api/names.ts';
import { keySecret } from '../objects/keys/key-secret.ts';
import { keystoneFixture } from './keystone-fixture.ts';
import { rotated } from './play-rotation.ts';
import { home, type KeystoneOperator } from './start-keystone-operator.ts';

/** Keys by their index, as a Secret's `data` holds them. */
export type Keys = Record<string, string>;

/** The production Secret of a repository. */
export const productionName = (keyType: KeyType) => ({ ...home, name: `identity-${keyType}-keys` });

/** The staging Secret of a repository. */
export const stagingName = (keyType: KeyType) => ({ ...home, name: `identity-${keyType}-keys-rotation` });

/** Fresh keys. */
export const freshKeys = (): Keys => keySecret(keystoneFixture(), 'fernet', systemRandom).data ?? {};

/** Keys as files of a pod hold them. */
export const decodedKeys = (keys: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).map(([index, key]) => [index, Buffer.from(key, 'base64').toString()]));

/** What keystone-manage makes of keys. */
export function rotateKeys(keys: Keys, maxActiveKeys = 3): Keys {
  const entries = Object.entries(rotated(decodedKeys(keys), maxActiveKeys));
  return Object.fromEntries(entries.map(([index, key]) => [index, Buffer.from(key).toString('base64')]));
}

/** The keys in production. */
export async function keysIn({ cluster: { client } }: KeystoneOperator, keyType: KeyType): Promise<Keys> {
  return (await client.get(Secret, productionName(keyType))).data ?? {};
}

/** Writes keys into the staging Secret as the rotation script does, and gives the operator a second. */
export async function stageKeys(
  { cluster: { client, clock } }: KeystoneOperator,
  keyType: KeyType,
  keys: Keys,
  completedAt = timestamp(clock),
): Promise<void> {
  const { data = {} } = await client.get(Secret, stagingName(keyType));
  const leftovers = Object.fromEntries(Object.keys(data).map((name) => [name, null]));
  const annotations = { [rotationCompletedAnnotation]: completedAt };
  const patch = { metadata: { annotations }, data: { ...leftovers, ...keys } };
  await client.patch(Secret, stagingName(keyType), 'strategic', patch);
  await clock.advance(seconds(1));
}

/** Plays one run of the rotation CronJob. */
export async function rotate(operator: KeystoneOperator, keyType: KeyType): Promise<Keys> {
  const keys = rotateKeys(await keysIn(operator, keyType));
  await stageKeys(operator, keyType, keys);
  return keys;
}
