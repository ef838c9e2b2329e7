// SPDX-License-Identifier: Apache-2.0
import { cachedHealth } from '@forge/keystone/clients/cached-health.ts';
import { keystoneApi } from '@forge/keystone/clients/keystone-api.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { keystoneController } from '@forge/keystone/reconcile.ts';
import { defaultSecretStore } from '@forge/keystone/step.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { demoManifests } from './demo.ts';
import type { LocalCluster } from './local-cluster.ts';

/** Installs the operator, and creates the demo's objects that do not exist yet. */
export async function startDemo(
  cluster: LocalCluster,
  { clock, random, publicEndpoint }: { clock: Clock; random: Random; publicEndpoint: string },
): Promise<void> {
  const { client } = cluster;
  await install(client, crdOf(Keystone));
  const http = httpClient({ clock, dial: (...target) => cluster.dial(...target) });
  const api = cachedHealth(keystoneApi({ http, clock, random }), clock);
  const reading = { keystoneApi: api, secretStore: defaultSecretStore, ownNamespace: undefined };
  const { name, webhooks = [] } = keystoneOperator;
  await cluster.run([keystoneController({ reading, acting: {} })], { name, webhooks });
  for (const { kind, object } of demoManifests(random, publicEndpoint)) {
    try {
      await client.create(kind, object, { fieldManager: 'forge' });
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
  }
}

/** Applies a CRD and waits until it is established. */
async function install(client: Client, crd: CustomResourceDefinition): Promise<void> {
  await client.apply(CustomResourceDefinition, crd, { fieldManager: 'forge', force: true });
  const established = client.watch(CustomResourceDefinition, { fieldSelector: `metadata.name=${crd.metadata.name}` });
  for await (const { object } of established) {
    if (object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return;
  }
  throw new Error(`CustomResourceDefinition ${crd.metadata.name} was not established before the watch ended`);
}
