// SPDX-License-Identifier: Apache-2.0
import { BlockList, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { durableStorage } from '@forge/apiserver/storage/durable-storage.ts';
import { httpsWebhookCaller } from '@forge/apiserver/webhooks/calls/call-webhook.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import type { ImageStore } from '@forge/cluster/images/image-store.ts';
import { addresses } from '@forge/cluster/node/network/addresses.ts';
import { allowNode } from '@forge/cluster/node/node-access.ts';
import { spawnNode, type NodeHandle } from '@forge/cluster/node/spawn-node.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { nodeName } from '../credentials/topology.ts';
import type { DataFolder } from '../data/data-folder.ts';
import type { Progress } from '../terminal/progress.ts';
import { terminalLog } from '../terminal/terminal-log.ts';

/** Addresses of the pod network. */
const podNetwork = new BlockList();
podNetwork.addSubnet(addresses.node, addresses.podPrefix);

/** Options of a local cluster. */
export interface LocalClusterOptions {
  data: DataFolder;
  port: number;
  credentials: Credentials;
  images: ImageStore;
  progress: Progress;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** A Kubernetes cluster in this process and one child process. */
export interface LocalCluster extends AsyncDisposable {
  client: Client;
  /** Connects to an address inside the cluster network. */
  dial(host: string, port: number, signal?: AbortSignal): Promise<Duplex>;
  /** Disposes of this before the cluster is stopped. */
  use(running: AsyncDisposable): void;
  /** Resolves when the node process exits unexpectedly. */
  lost: Promise<string>;
}

/**
 * Starts the API server, then the workload controllers and the node. On failure, everything already started is stopped.
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const { data, credentials, progress, clock, random, log } = options;
  const stack = new AsyncDisposableStack();
  try {
    // The node process loads its program while the API server starts.
    const spawned = stack.adopt(spawnNode(), (process) => process.kill());
    let node: NodeHandle | undefined;
    const dialInside = async (host: string, port: number): Promise<Duplex> => {
      if (node === undefined) throw new Error(`node ${nodeName} is not running`);
      return node.dial(host, port);
    };
    const server = await apiServer({
      clock,
      random,
      log: log.with({ component: 'apiserver' }),
      // Not logged to the log file, which is on the same disk.
      storage: await durableStorage(data.path('state'), { log: terminalLog(clock) }),
      endpoint: { address: addresses.node, port: addresses.apiServerPort },
      authority: credentials.ca,
      serviceAccounts: { signingKey: credentials.signingKey },
      nodes: {
        connect: ({ host, port }) => dialInside(host, port),
        tls: { ca: credentials.ca, ...credentials.kubeletClient },
      },
      callWebhook: httpsWebhookCaller({
        service: ({ host, port }) => dialInside(host, port),
        url: ({ host, port }) => (podNetwork.check(host) ? dialInside(host, port) : connect(port, host)),
      }),
    });
    stack.defer(() => server.close());
    const apiServerSocket = `${data.run}/apiserver.sock`;
    const listener = await serve(server, {
      port: options.port,
      socketPath: apiServerSocket,
      tls: { ...credentials.apiServer, clientCa: credentials.ca },
    });
    stack.defer(() => listener.close());
    progress.done('api server', `https://127.0.0.1:${listener.port}`);

    const kube = client(inProcessTransport(server));
    await allowNode(kube, nodeName);
    const controllers = manager({ client: kube, clock, random, log });
    for (const controller of workloadControllers()) controllers.add(controller);
    await controllers.start();
    stack.defer(() => controllers.stop());

    progress.doing('node', 'creating its namespaces');
    const started = await spawned.begin({
      name: nodeName,
      runDir: data.run,
      volumesDir: data.path('volumes'),
      logsDir: data.path('logs'),
      apiServerSocket,
      credentials: { ca: credentials.ca, ...credentials.node },
      serving: credentials.kubelet,
      images: options.images,
      log: (line) => log.with({ component: 'node' })[line.level](line.message, line.fields),
    });
    node = started;
    stack.defer(() => started.stop());
    progress.done('node', `${nodeName} is up, in user, network, mount and process namespaces`);

    let stopping = false;
    return {
      client: kube,
      dial: (host, port, signal) => started.dial(host, port, signal),
      use: (running) => void stack.use(running),
      lost: started.exited.then(({ code, stderrTail }) =>
        stopping ? new Promise<never>(() => {}) : `The node process exited with ${code}.\n${stderrTail}`,
      ),
      async [Symbol.asyncDispose]() {
        stopping = true;
        await stack.disposeAsync();
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
