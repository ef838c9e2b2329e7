// SPDX-License-Identifier: Apache-2.0
import { Deployment, Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { Keystone } from '../api/keystone.ts';
import { allReady, createKeystone, home, type KeystoneOperator } from './start-keystone-operator.ts';

/** Asks for another tag of the image. */
export async function setTag({ cluster: { client } }: KeystoneOperator, tag: string): Promise<void> {
  await client.patch(Keystone, home, 'merge', { spec: { image: { tag } } });
}

/** Creates a Keystone of the fixture's release, 2025.2, and waits until it is ready. */
export async function createInstalled(operator: KeystoneOperator): Promise<void> {
  await createKeystone(operator);
  await operator.untilCondition('Ready', allReady);
}

/** Advances the clock until a condition begins with this text. */
export async function untilStart(operator: KeystoneOperator, type: string, text: string): Promise<void> {
  let found: string | undefined;
  try {
    await operator.cluster.clock.until(async () => (found = await operator.condition(type))?.startsWith(text));
  } catch (error) {
    throw new Error(`${type} is ${found}, not ${text}`, { cause: error });
  }
}

/** The releases in status: installed, target, phase, expanded. */
export async function releases(operator: KeystoneOperator): Promise<(string | undefined)[]> {
  const { installedRelease, targetRelease, upgradePhase, expandedRelease } = (await operator.keystone()).status ?? {};
  return [installedRelease, targetRelease, upgradePhase, expandedRelease];
}

/** Tag of the image that the API pods are to run. */
export async function deployedTag({ cluster: { client } }: KeystoneOperator): Promise<string | undefined> {
  return tagOf((await client.get(Deployment, home)).spec?.template.spec);
}

/** Tags of the images of all API pods, those that drain included. */
export async function podTags({ cluster: { client } }: KeystoneOperator): Promise<string[]> {
  const labelSelector = 'app.kubernetes.io/name=keystone';
  const { items } = await client.list(Pod, { namespace: home.namespace, labelSelector });
  return [...new Set(items.map(({ spec }) => tagOf(spec) ?? ''))].toSorted();
}

/** The Job of this suffix. */
export async function jobOf({ cluster: { client } }: KeystoneOperator, suffix: string): Promise<Job | undefined> {
  return await client.find(Job, { ...home, name: `${home.name}-${suffix}` });
}

/** Tag of the image of a pod's first container. */
export function tagOf(spec: Pod['spec']): string | undefined {
  return spec?.containers[0]?.image?.split(':').at(-1);
}
