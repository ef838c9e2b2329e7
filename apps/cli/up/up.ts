// SPDX-License-Identifier: Apache-2.0
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { kubeconfig } from '@forge/kube/client/kubeconfig.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { operators as registeredOperators } from '../../../operators/operators.ts';
import { clusterCredentials } from '../credentials/credentials.ts';
import { acquireDataFolder } from '../data/acquire-data-folder.ts';
import { openDataFolder, type DataFolder } from '../data/data-folder.ts';
import { writePrivateFile } from '../data/write-private-file.ts';
import { CliError } from '../terminal/cli-error.ts';
import { logFile } from '../terminal/log-file.ts';
import type { Progress } from '../terminal/progress.ts';
import { checkMachine } from './check-machine.ts';
import type { Demo } from './demo.ts';
import { imageCacheDir, reportingImages } from './images.ts';
import { operatorImages, operatorInstallation } from './install-operator.ts';
import { startLocalCluster, type LocalCluster } from './local-cluster.ts';
import { keepLoginFiles } from './login-files.ts';
import { forwardLoopback, loadOrChoosePorts } from './loopback.ts';
import { previousConditions, showProgressUntilReady } from './show-progress.ts';
import { standInNames, type RunningStandIns } from './stand-ins.ts';
import { startDemo } from './start-demo.ts';

/** A local cluster with a Keystone that issues tokens. */
export interface Up {
  demo: Demo;
  data: DataFolder;
  /** The public URL of Keystone, as in the catalog. */
  url: string;
  adminPassword: string;
  client: Client;
  /** Connects to an address inside the cluster network. */
  dial: LocalCluster['dial'];
  /** OpenBao's API as root. */
  openbao: VaultHttp;
  standIns: RunningStandIns;
  /** Resolves when a required process exits unexpectedly. */
  lost: Promise<string>;
  stop(): Promise<void>;
}

/** Options of `up`. */
export interface UpOptions {
  demo: Demo;
  dataDir: string;
  progress: Progress;
  signal: AbortSignal;
  /** The stand-ins that are omitted. */
  without: ReadonlySet<StandInName>;
  /** Called when `forge down` asks this process to stop. */
  onDown: () => void;
}

/** Starts everything and resolves when the demo is ready. On failure, everything already started is stopped. */
export async function up(options: UpOptions): Promise<Up> {
  const { demo, dataDir, progress, without, onDown } = options;
  await checkMachine();
  const [clock, random] = [systemClock, systemRandom];
  const since = clock.now();
  const data = await openDataFolder(dataDir);
  const stack = new AsyncDisposableStack();
  try {
    const owner = { pid: process.pid, dir: data.dir, standIns: standInNames.filter((name) => !without.has(name)) };
    stack.use(await acquireDataFolder(owner, onDown));
    const { log } = stack.use(await logFile(data.path('logs', 'forge.log'), clock));
    const ports = await loadOrChoosePorts(data.path('ports.json'));
    const credentials = await clusterCredentials(data.path('pki'), clock);
    const ended = new AbortController();
    stack.defer(() => ended.abort());
    const signal = AbortSignal.any([options.signal, ended.signal]);
    const operators = await Promise.all(demo.operators.map(operatorInstallation));
    // Of all operators: users may apply the manifests of those that are not part of the demo.
    const programs = await Promise.all(registeredOperators.map(({ name }) => operatorImages(name)));
    const images = imageStore({
      cacheDir: imageCacheDir(),
      recipesDir: data.path('recipes'),
      recipes: programs.flat(),
      log: (line) => progress.print(line),
      signal,
    });

    const reporting = reportingImages(images, progress);
    // Assembled from the start, so that no pod waits longer than necessary; failures are reported by the pods.
    for (const image of [...operators.flatMap((each) => each.images[0].references), ...demo.images])
      reporting.ensure(image).catch(() => undefined);

    const cluster = stack.use(
      await startLocalCluster({
        data,
        port: ports.apiServer,
        credentials,
        images: reporting,
        progress,
        clock,
        random,
        log,
      }),
    );
    const server = `https://127.0.0.1:${ports.apiServer}`;
    const admin = { ca: credentials.ca, ...credentials.admin };
    await writePrivateFile(data.path('kubeconfig'), kubeconfig({ name: 'forge', server, ...admin }));
    // Printed at once: a user who installs an operator in place of a stand-in needs it before anything is ready.
    progress.done('kubeconfig', data.path('kubeconfig'));

    const host = `${demo.keystone}.${demo.namespace}.svc.cluster.local`;
    stack.use(await forwardLoopback(ports.keystone, () => cluster.dial(host, 5000)));
    const url = `http://127.0.0.1:${ports.keystone}/v3`;
    const earlier = { since, conditions: await previousConditions(cluster.client, demo) };
    const { client } = cluster;
    const shared = { demo, data, log, signal };
    const starting = startDemo(cluster, {
      ...shared,
      operators,
      progress,
      clock,
      random,
      since,
      without,
      publicEndpoint: url,
    });
    stack.defer(async () => {
      ended.abort();
      await starting.catch(() => undefined);
    });
    const { lost } = cluster;
    const dial: LocalCluster['dial'] = (...target) => cluster.dial(...target);
    const { openbao, standIns } = await Promise.race([starting, failing(lost)]);
    await Promise.race([showProgressUntilReady(client, demo, progress, earlier, signal), failing(lost)]);

    const adminPassword = await keepLoginFiles({ ...shared, client, url });
    const owned = stack.move();
    const stop = () => owned.disposeAsync();
    return { demo, data, url, adminPassword, client, dial, openbao, standIns, lost, stop };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function failing(lost: Promise<string>): Promise<never> {
  throw new CliError(await lost);
}
