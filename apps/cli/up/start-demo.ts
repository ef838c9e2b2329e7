// SPDX-License-Identifier: Apache-2.0
import { installKind } from '@forge/cluster/stand-ins/start-stand-in.ts';
import { cachedHealth } from '@forge/keystone/clients/cached-health.ts';
import { keystoneApi } from '@forge/keystone/clients/keystone-api.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { keystoneController } from '@forge/keystone/reconcile.ts';
import { defaultSecretStore } from '@forge/keystone/step.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
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
  await installKind(Keystone, client);
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
