// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { Recipe } from '@forge/cluster/images/recipe.ts';
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { clusterCredentials } from '../../credentials/credentials.ts';
import { openDataFolder, type DataFolder } from '../../data/data-folder.ts';
import { clusterSecretStore } from '../../openbao/configure-openbao.ts';
import { startOpenBao } from '../../openbao/start-openbao.ts';
import { logFile } from '../../terminal/log-file.ts';
import { progress } from '../../terminal/progress.ts';
import { imageCacheDir } from '../../up/images.ts';
import { installOperator, operatorInstallation } from '../../up/install-operator.ts';
import { startLocalCluster, type LocalCluster } from '../../up/local-cluster.ts';
import { loadOrChoosePorts } from '../../up/loopback.ts';
import { standInNames, standInsOf, type RunningStandIns } from '../../up/stand-ins.ts';

/** A local cluster as `forge up` starts it, with operators and OpenBao, but without a Keystone. */
export interface LocalKeystones extends AsyncDisposable {
  client: Client;
  dial: LocalCluster['dial'];
  data: DataFolder;
  /** OpenBao's API as root. */
  openbao: VaultHttp;
  /** Namespace and name of the keystone operator's Deployment. */
  operator: { namespace: string; name: string };
  standIns: Pick<RunningStandIns, 'start' | 'stop'>;
  /** Disposes of the resource together with the cluster. */
  use<T extends AsyncDisposable>(resource: T): T;
}

/**
 * Starts the cluster in a temporary folder; resolves when the keystone operator serves its webhooks. Its pods may have
 * images of these recipes, too.
 */
export async function localKeystones(...recipes: readonly Recipe[]): Promise<LocalKeystones> {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'forge-e2e-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const stopped = new AbortController();
  stack.defer(() => stopped.abort());
  const { signal } = stopped;
  const data = await openDataFolder(dir);
  const { log } = stack.use(await logFile(data.path('logs', 'forge.log'), clock));
  const shown = progress({ write: (text) => log.info(text.trim()), clock, colour: false });
  const installation = await operatorInstallation('keystone');
  const cluster = stack.use(
    await startLocalCluster({
      data,
      port: (await loadOrChoosePorts(data.path('ports.json'))).apiServer,
      credentials: await clusterCredentials(data.path('pki'), clock),
      images: imageStore({
        cacheDir: imageCacheDir(),
        recipes: [...installation.images, ...recipes],
        log: console.error,
        signal,
      }),
      progress: shown,
      clock,
      random,
      log,
    }),
  );
  const { client } = cluster;
  const dial: LocalCluster['dial'] = (...target) => cluster.dial(...target);
  const standIns = stack.use(standInsOf(() => ({ client, clock, random, log, dial })));
  const [openbao] = await Promise.all([
    startOpenBao({ client, dial, data, progress: shown, clock, random, signal }),
    installOperator(installation, client),
    ...standInNames.map((each) => standIns.start(each)),
  ]);
  const store = clusterSecretStore(defaultSecretStore);
  // By default, External Secrets validates a store every five minutes.
  await client.create(ClusterSecretStore, { ...store, spec: { ...store.spec, refreshInterval: 10 } });
  const { name } = installation.deployment.metadata;
  const operator = { namespace: installation.namespace, name };
  await eventually('the operator is available', async () => {
    const { status } = await client.get(Deployment, operator);
    return status?.availableReplicas === 1;
  });
  await eventually('Keystones are served', () => client.list(Keystone).then(() => true));
  const owned = stack.move();
  return {
    client,
    dial,
    data,
    openbao,
    operator,
    standIns,
    use: (resource) => owned.use(resource),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
