// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { canBuildBinaries, existingBinaries } from '@forge/apiserver/conformance/reference/binaries.ts';
import { binaryFolders, findBinaries } from '@forge/apiserver/conformance/reference/with-reference-cluster.ts';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { openDataFolder, type DataFolder } from '../../data/data-folder.ts';
import { logFile } from '../../terminal/log-file.ts';
import { progress } from '../../terminal/progress.ts';
import type { Demo } from '../../up/demo.ts';
import { identity, type Identity } from '../../up/identity.ts';
import { imageCacheDir } from '../../up/images.ts';
import type { OperatorInstallation } from '../../up/install-operator.ts';
import { forwardLoopback, loadOrChoosePorts } from '../../up/loopback.ts';
import { showProgressUntilReady } from '../../up/show-progress.ts';
import { startDemo } from '../../up/start-demo.ts';
import { kubectl } from '../forge-process.ts';
import { startKubernetes, type KubernetesCluster } from './kubernetes-cluster.ts';
import { accountOf } from './operator-requests.ts';

/** The demo of `forge up` on a real Kubernetes. */
export interface KubernetesDemo extends AsyncDisposable {
  cluster: KubernetesCluster;
  data: DataFolder;
  log: Logger;
  openbao: VaultHttp;
  /** Keystone's public URL. */
  url: string;
  keystone: Identity;
  /** The current password of the administrator. */
  adminPassword: () => Promise<string>;
  /** Runs kubectl as administrator. */
  kubectl: (...args: string[]) => Promise<string>;
}

/** Options of the demo. */
export interface KubernetesDemoOptions {
  demo: Demo;
  operators: readonly OperatorInstallation[];
  /** Installations whose requests are audited. */
  audited: readonly OperatorInstallation[];
  /** Further images that the test uses, assembled from the start. */
  images: readonly string[];
  /** Receives progress lines. */
  write: (text: string) => void;
  signal: AbortSignal;
}

/** Why tests on a real Kubernetes cannot run on this machine; false when they can. */
export async function whyNoKubernetes(): Promise<string | false> {
  const folders = binaryFolders(process.env, homedir());
  const canRun = (await existingBinaries(folders, () => {})) !== undefined || (await canBuildBinaries());
  return canRun ? false : 'needs Go, to build Kubernetes';
}

/** Starts a Kubernetes, installs the operators, and resolves when the demo is ready. */
export async function startKubernetesDemo(options: KubernetesDemoOptions): Promise<KubernetesDemo> {
  const { demo, operators, write, signal } = options;
  const binaries = await findBinaries(process.env, homedir());
  const since = clock.now();
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'forge-kubernetes-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const data = await openDataFolder(folder);
  const { log } = stack.use(await logFile(data.path('logs', 'forge.log'), clock));
  const shown = progress({ write, clock, colour: false });
  const images = imageStore({
    cacheDir: imageCacheDir(),
    recipes: operators.flatMap((each) => each.images),
    log: write,
    signal,
  });
  const own = operators.flatMap((each) => each.images[0].references);
  for (const image of [...own, ...demo.images, ...options.images]) {
    images.ensure(image).catch((error: Error) => write(`${image}: ${error.message}\n`));
  }
  const cluster = stack.use(
    await startKubernetes({ binaries, data, images, log, audited: options.audited.map(accountOf) }),
  );
  const ports = await loadOrChoosePorts(data.path('ports.json'));
  const host = `${demo.keystone}.${demo.namespace}.svc.cluster.local`;
  stack.use(await forwardLoopback(ports.keystone, () => cluster.dial(host, 5000)));
  const url = `http://127.0.0.1:${ports.keystone}/v3`;
  const { client } = cluster;
  const common = { demo, data, operators, progress: shown, clock, random, log, signal, since };
  const { openbao } = await startDemo(cluster, { ...common, without: new Set(), publicEndpoint: url });
  await showProgressUntilReady(client, demo, shown, { since, conditions: [] }, signal);
  const owned = stack.move();
  return {
    cluster,
    data,
    log,
    openbao,
    url,
    keystone: identity(url),
    async adminPassword() {
      const secret = await client.get(Secret, { namespace: demo.namespace, name: demo.adminSecret });
      return Buffer.from(secret.data?.['password'] ?? '', 'base64').toString();
    },
    kubectl: (...args) => kubectl(data.path('kubernetes'), ...args),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
