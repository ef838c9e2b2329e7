// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { serve } from '@forge/apiserver/serve.ts';
import { client, type Client } from '@forge/kube/client.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock as clock } from '@forge/runtime/clock.ts';
import { logger, terminalLine } from '@forge/runtime/logger.ts';
import { manager } from '@forge/runtime/manager.ts';
import { systemRandom as random } from '@forge/runtime/random.ts';
import { workloadControllers } from '../../controllers/controllers.ts';
import { imageStore } from '../../images/image-store.ts';
import { addresses } from '../addresses.ts';
import { startNode, type NodeHandle } from '../start-node.ts';

/** A whole cluster whose pods are real processes. */
export interface ProcessCluster extends AsyncDisposable {
  client: Client;
  node: NodeHandle;
}

/** Starts a cluster in a new folder below `parent`, which ends with the caller's scope; images come from, and go to, the user's own cache. */
export async function processCluster(parent = tmpdir()): Promise<ProcessCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(parent, 'forge-e2e-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const validity = { now: clock.now(), validDays: 1 };
  const authority = await certificateAuthority({ ...validity, name: 'end to end' });
  const { cert: ca } = authority;
  const [server, kubelet, node, kubeletClient] = await Promise.all([
    issueServerCertificate(authority, { ...validity, names: ['kubernetes.default.svc'], addresses: [] }),
    issueServerCertificate(authority, { ...validity, names: ['forge'], addresses: [addresses.node] }),
    issueClientCertificate(authority, { ...validity, user: 'system:node:forge', groups: ['system:nodes'] }),
    issueClientCertificate(authority, { ...validity, user: 'kubelet-client', groups: ['system:masters'] }),
  ]);

  const started = Promise.withResolvers<NodeHandle>();
  const api = await apiServer({
    clock,
    random,
    nodes: {
      connect: async () => (await started.promise).dial(addresses.node, addresses.kubeletPort),
      tls: { ca, ...kubeletClient },
    },
  });
  stack.defer(() => api.close());
  const apiServerSocket = join(folder, 'api.sock');
  const listening = await serve(api, { port: 0, socketPath: apiServerSocket, tls: { ...server, clientCa: ca } });
  stack.defer(() => listening.close());

  const kube = client(inProcessTransport(api));
  const log = logger({ clock, level: 'error', write: (entry) => console.error(terminalLine(entry)) });
  const controllers = manager({ client: kube, clock, random, log });
  for (const controller of workloadControllers()) controllers.add(controller);
  await controllers.start();
  stack.defer(() => controllers.stop());

  const handle = await startNode({
    name: 'forge',
    runDir: join(folder, 'run'),
    volumesDir: join(folder, 'volumes'),
    logsDir: join(folder, 'logs'),
    apiServerSocket,
    credentials: { ca, ...node },
    serving: kubelet,
    images: imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error }),
    log: ({ level, message, fields }) => log[level](message, fields),
  });
  stack.defer(() => handle.stop());
  started.resolve(handle);
  const owned = stack.move();
  return { client: kube, node: handle, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
