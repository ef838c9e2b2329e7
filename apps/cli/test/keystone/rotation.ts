// SPDX-License-Identifier: Apache-2.0
import { keyNamesOf, rotationCompletedAnnotation, type KeyType } from '@forge/keystone/api/names.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { CronJob, Job, Secret } from '@forge/kube/kinds/builtin.ts';
import { decoded } from '@forge/testing/programs/decoded.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { LiveKeystone } from './live-keystone.ts';

/** Runs a CronJob at once, like `kubectl create job --from`. */
async function runNow(client: Client, ref: { namespace: string; name: string }, name: string): Promise<void> {
  const { metadata, spec } = await client.get(CronJob, ref);
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: ref.name, uid: metadata.uid ?? '', controller: true };
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual', ...spec.jobTemplate.metadata?.annotations };
  await client.create(Job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      namespace: ref.namespace,
      name,
      annotations,
      labels: spec.jobTemplate.metadata?.labels ?? {},
      ownerReferences: [owner],
    },
    ...(spec.jobTemplate.spec !== undefined && { spec: spec.jobTemplate.spec }),
  });
}

/** The keys of a repository, and the Secret that holds them. */
export async function keysOf(client: Client, keystone: LiveKeystone, keyType: KeyType) {
  const { namespace } = keystone.ref;
  const secret = await client.get(Secret, { namespace, name: keyNamesOf(await keystone.get(), keyType).keys });
  const keys = decoded(secret);
  return { secret, keys, primary: Math.max(...Object.keys(keys).map(Number)) };
}

/** Rotates keys by the script of the CronJob, and resolves when the operator has applied the staged keys. */
export async function rotate(client: Client, keystone: LiveKeystone, keyType: KeyType): Promise<void> {
  const { namespace } = keystone.ref;
  const { rotate: name } = keyNamesOf(await keystone.get(), keyType);
  const completedAt = async () =>
    (await keysOf(client, keystone, keyType)).secret.metadata.annotations?.[rotationCompletedAnnotation];
  const before = await completedAt();
  await runNow(client, { namespace, name }, `${name}-now`);
  await eventually(`${keyType} keys of ${name} are rotated`, async () => (await completedAt()) !== before, {
    observed: async () => (await client.get(Job, { namespace, name: `${name}-now` })).status,
  });
}
