// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { imageStore, type ImageStore } from '@forge/cluster/images/image-store.ts';
import { addresses } from '@forge/cluster/node/network/addresses.ts';
import { allowNode } from '@forge/cluster/node/node-access.ts';
import { spawnNode, type NodeHandle } from '@forge/cluster/node/spawn-node.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { logger, terminalLine } from '@forge/runtime/observability/logger.ts';

/** A complete cluster whose pods are real processes. */
export interface ProcessCluster extends AsyncDisposable {
  client: Client;
  node: NodeHandle;
  /** The administrator's kubeconfig. */
  kubeconfig: string;
  /** The folder of the cluster's state. */
  folder: string;
}

/**
 * Starts a cluster in a new folder below `parent`, stopped at the end of the caller's scope; images come from the
 * user's cache, unless `imagesFrom` replaces it.
 */
export async function processCluster(
  parent = tmpdir(),
  imagesFrom: (store: ImageStore) => ImageStore = (store) => store,
): Promise<ProcessCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(parent, 'forge-e2e-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const validity = { now: clock.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'end to end' });
  const { cert: ca } = authority;
  const issueClient = (user: string, group: string) =>
    issueClientCertificate(authority, { ...validity, user, groups: [group] });
  const issueServer = (name: string, ...own: string[]) =>
    issueServerCertificate(authority, { ...validity, names: [name], addresses: own });

  const started = Promise.withResolvers<NodeHandle>();
  const api = await apiServer({
    clock,
    random,
    nodes: {
      connect: async ({ host, port }) => (await started.promise).dial(host, port),
      tls: { ca, ...issueClient('kubelet-client', 'system:masters') },
    },
    endpoint: { address: addresses.node, port: addresses.apiServerPort },
    authority: ca,
    serviceAccounts: { signingKey: authority.key },
  });
  stack.defer(() => api.close());
  const apiServerSocket = join(folder, 'api.sock');
  const tls = { ...issueServer('kubernetes.default.svc', '127.0.0.1', addresses.kubernetes), clientCa: ca };
  const listening = await serve(api, { port: 0, socketPath: apiServerSocket, tls });
  stack.defer(() => listening.close());

  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigOf({ port: listening.port, ca, ...issueClient('admin', 'system:masters') }));

  const kube = client(inProcessTransport(api));
  await allowNode(kube, 'forge');
  const log = logger({ clock, level: 'error', write: (entry) => console.error(terminalLine(entry)) });
  const controllers = manager({ client: kube, clock, random, log });
  for (const controller of workloadControllers()) controllers.add(controller);
  await controllers.start();
  stack.defer(() => controllers.stop());

  const spawned = stack.adopt(spawnNode(), (process) => process.kill());
  const handle = await spawned.begin({
    name: 'forge',
    runDir: join(folder, 'run'),
    volumesDir: join(folder, 'volumes'),
    logsDir: join(folder, 'logs'),
    apiServerSocket,
    credentials: { ca, ...issueClient('system:node:forge', 'system:nodes') },
    serving: issueServer('forge', addresses.node),
    images: imagesFrom(imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error })),
    log: ({ level, message, fields }) => log[level](message, fields),
  });
  stack.defer(() => handle.stop());
  started.resolve(handle);
  const owned = stack.move();
  return { client: kube, node: handle, kubeconfig, folder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function kubeconfigOf({ port, ca, cert, key }: { port: number; ca: string; cert: string; key: string }): string {
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': base64(ca) };
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'e2e',
    contexts: [{ name: 'e2e', context: { cluster: 'e2e', user: 'e2e' } }],
    clusters: [{ name: 'e2e', cluster }],
    users: [{ name: 'e2e', user }],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
