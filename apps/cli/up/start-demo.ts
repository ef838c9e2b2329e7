// SPDX-License-Identifier: Apache-2.0
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { installKind } from '@forge/cluster/stand-ins/start-stand-in.ts';
import { cachedHealth } from '@forge/keystone/clients/cached-health.ts';
import { keystoneApi } from '@forge/keystone/clients/keystone-api.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { keystoneController } from '@forge/keystone/reconcile.ts';
import { defaultSecretStore } from '@forge/keystone/step.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { waitUntilInstalled } from '@forge/runtime/cache/wait-until-installed.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { mount } from '../openbao/policies.ts';
import { seed } from '../openbao/seed.ts';
import { startOpenBao } from '../openbao/start-openbao.ts';
import type { Progress } from '../terminal/progress.ts';
import { demo, demoManifests, secretManifests, type Manifest } from './demo.ts';
import { refuseEarlierDemo } from './earlier-demo.ts';
import type { LocalCluster } from './local-cluster.ts';
import { runStandIn, type StandInName } from './stand-ins.ts';

/** What the demo is started with. */
export interface DemoOptions {
  data: DataFolder;
  progress: Progress;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
  publicEndpoint: string;
  /** The stand-ins that are left out. */
  without: ReadonlySet<StandInName>;
}

/**
 * Starts the operators and OpenBao, and creates the demo's objects that do not exist yet; resolves with OpenBao's API as
 * root. OpenBao starts beside the database; External Secrets, and what asks it for Secrets, follow when OpenBao is seeded.
 */
export async function startDemo(cluster: LocalCluster, given: DemoOptions): Promise<VaultHttp> {
  const { client } = cluster;
  await refuseEarlierDemo(client, given.data);
  const failed = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, failed.signal]) };
  const start = async (name: StandInName) => {
    if (!options.without.has(name)) cluster.use(await runStandIn(name, { ...options, client, dial }));
  };
  const dial: LocalCluster['dial'] = (...target) => cluster.dial(...target);

  const startSecrets = async () => {
    const api = await startOpenBao({ ...options, client, dial });
    await seed(api, demo, { mount, random: options.random });
    await start('external-secrets');
    await create(secretManifests(), client, options);
    return api;
  };
  const startServices = async () => {
    await Promise.all([runKeystoneOperator(cluster, options), start('mariadb-operator'), start('memcached-operator')]);
    await create(demoManifests(options.publicEndpoint), client, options);
  };
  await client.apply(Namespace, namespace(demo.namespace), { fieldManager: 'forge', force: true });
  const [api] = await allOrNone([startSecrets(), startServices()], failed);
  return api;
}

/** Like `Promise.all`, but aborts the others when one fails, and rejects only when none runs any more. */
async function allOrNone<T extends readonly Promise<unknown>[]>(
  running: readonly [...T],
  failed: AbortController,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = Promise.all(running);
  results.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(running);
  return results;
}

async function runKeystoneOperator(cluster: LocalCluster, { clock, random }: DemoOptions): Promise<void> {
  await installKind(Keystone, cluster.client);
  const http = httpClient({ clock, dial: (...target) => cluster.dial(...target) });
  const api = cachedHealth(keystoneApi({ http, clock, random }), clock);
  const reading = { keystoneApi: api, secretStore: defaultSecretStore, ownNamespace: undefined };
  const { name, webhooks = [] } = keystoneOperator;
  await cluster.run([keystoneController({ reading, acting: {} })], { name, webhooks });
}

/** Creates what does not exist yet; waits for kinds that somebody else installs. */
async function create(
  manifests: readonly Manifest[],
  client: Client,
  { progress, random, signal }: DemoOptions,
): Promise<void> {
  for (const { kind, object } of manifests) {
    const attempt = () => client.create(kind, object, { fieldManager: 'forge', signal });
    try {
      await attempt().catch(async (error: unknown) => {
        if (!isApiError(error, 'NotFound')) throw error;
        progress.doing(
          object.metadata.name,
          `waits for CustomResourceDefinition ${resourceName(kind)}: install its operator`,
        );
        await waitUntilInstalled(client, kind, { random, signal, onActivity: () => undefined });
        await attempt();
      });
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
  }
}

function namespace(name: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
