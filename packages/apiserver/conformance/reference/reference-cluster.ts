// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@forge/kube/client/connection.ts';
import { backendAddress, lazyBackendServer } from '../servers/backend-server.ts';
import { lazyWebhookServer } from '../servers/webhook-server.ts';
import { httpsWire } from '../wires/https-wire.ts';
import type { Wire } from '../wires/wire.ts';
import { startControlPlane, type Flags } from './control-plane.ts';

/** A real Kubernetes without nodes: etcd, kube-apiserver, and the controllers that the API depends on. */
export interface ReferenceCluster {
  wire: Wire;
  /** For other clients. */
  connection: Connection;
  /** The folder of its binaries. */
  binaries: string;
  stop(): Promise<void>;
}

/**
 * Workload controllers and the root CA publisher are disabled: they would write into the cases' namespaces
 * asynchronously.
 */
const apiControllers = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'clusterrole-aggregation-controller',
  'validatingadmissionpolicy-status-controller',
];

/** Which controllers run in a reference cluster, and how. */
export interface ReferenceOptions {
  /** Default: those that the API depends on. */
  controllers?: readonly string[];
  /** Further flags of kube-controller-manager. */
  managerFlags?: Flags;
}

/** Starts a cluster from these binaries, on free ports and in a temporary folder. */
export async function startReferenceCluster(
  binaries: string,
  { controllers = apiControllers, managerFlags = {} }: ReferenceOptions = {},
): Promise<ReferenceCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-conformance-'));
  const { webhooks, closeWebhooks } = lazyWebhookServer();
  const { backend, closeBackend } = lazyBackendServer('pod address');
  const clear = () => rm(folder, { recursive: true, force: true });
  try {
    const { port, connection, stop } = await startControlPlane({
      binaries,
      folder,
      serverFlags: { 'advertise-address': backendAddress.host },
      managerFlags: { controllers: controllers.join(','), ...managerFlags },
    });
    const { ca, token } = connection;
    return {
      wire: httpsWire({ port, ca, token, webhooks, backend }),
      connection,
      binaries,
      async stop() {
        await stop();
        await closeWebhooks();
        await closeBackend();
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}
