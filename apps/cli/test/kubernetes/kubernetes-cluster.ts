// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startControlPlane, type Flags } from '@forge/apiserver/conformance/reference/control-plane.ts';
import { scheduler } from '@forge/cluster/controllers/scheduler/scheduler.ts';
import { volumeProvisioner } from '@forge/cluster/controllers/volumes/volume-binder.ts';
import type { ImageStore } from '@forge/cluster/images/image-store.ts';
import { addresses } from '@forge/cluster/node/network/addresses.ts';
import { allowNode } from '@forge/cluster/node/node-access.ts';
import { runFolders } from '@forge/cluster/node/run-folders.ts';
import { spawnNode } from '@forge/cluster/node/spawn-node.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { EndpointSlice } from '@forge/kube/kinds/builtin.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { clusterCredentials, type Credentials } from '../../credentials/credentials.ts';
import { nodeName } from '../../credentials/topology.ts';
import type { DataFolder } from '../../data/data-folder.ts';
import type { LocalCluster } from '../../up/local-cluster.ts';
import { forwardSocket } from './forward-socket.ts';

/** Options of a Kubernetes cluster. */
export interface KubernetesOptions {
  /** The folder of its binaries. */
  binaries: string;
  data: DataFolder;
  images: ImageStore;
  log: Logger;
  /** The ServiceAccounts whose requests are audited, as `namespace:name`. */
  audited: readonly string[];
}

/** A real Kubernetes control plane with Forge's node. */
export interface KubernetesCluster extends LocalCluster {
  /** The kubeconfig file of the administrator. */
  kubeconfig: string;
  auditLog: string;
  /** The log of the cluster and of the node, in the data folder. */
  credentials: Credentials;
}

/**
 * Starts etcd, kube-apiserver and kube-controller-manager with all of its controllers, and joins Forge's node. Of
 * Forge's controllers, only the scheduler and the volume provisioner run, which kube-controller-manager does not have.
 */
export async function startKubernetes(options: KubernetesOptions): Promise<KubernetesCluster> {
  const { binaries, data, images, log, audited } = options;
  const stack = new AsyncDisposableStack();
  try {
    const credentials = await clusterCredentials(data.path('pki'), clock);
    const folder = data.path('kubernetes');
    const auditLog = join(folder, 'audit.log');
    const { serverFlags, managerFlags } = await writeConfiguration(folder, { data, credentials, audited, auditLog });
    const tls = { ca: credentials.ca, ...credentials.apiServer };
    const plane = await startControlPlane({ binaries, folder, serverFlags, managerFlags, tls });
    stack.defer(() => plane.stop());

    const transport = httpsTransport(plane.connection);
    stack.defer(() => transport.close());
    const kube = client(transport);
    await publishServer(kube);
    await allowNode(kube, nodeName);

    const apiServerSocket = join(data.run, 'apiserver.sock');
    stack.use(await forwardSocket(apiServerSocket, () => connect({ port: plane.port, allowHalfOpen: true })));
    const controllers = manager({ client: kube, clock, random, log });
    for (const controller of [scheduler, volumeProvisioner]) controllers.add(controller);
    await controllers.start();
    stack.defer(() => controllers.stop());

    const spawned = stack.adopt(spawnNode(), (process) => process.kill());
    const node = await spawned.begin({
      name: nodeName,
      runDir: data.run,
      volumesDir: data.path('volumes'),
      logsDir: data.path('logs'),
      apiServerSocket,
      credentials: { ca: credentials.ca, ...credentials.node },
      serving: credentials.kubelet,
      images,
      log: (line) => log.with({ component: 'node' })[line.level](line.message, line.fields),
    });
    stack.defer(() => node.stop());
    return {
      client: kube,
      kubeconfig: plane.kubeconfig,
      auditLog,
      credentials,
      dial: (host, port, signal) => node.dial(host, port, signal),
      use: (running) => void stack.use(running),
      lost: node.exited.then(({ code, stderrTail }) => `The node process exited with ${code}.\n${stderrTail}`),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

interface Configuration extends Pick<KubernetesOptions, 'data' | 'audited'> {
  credentials: Credentials;
  auditLog: string;
}

/** Writes the files of the control plane for the node and the audit log; returns the flags that name them. */
async function writeConfiguration(
  folder: string,
  { data, credentials, audited, auditLog }: Configuration,
): Promise<{ serverFlags: Flags; managerFlags: Flags }> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, content: string | object): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const ca = await write('clients-ca.crt', credentials.ca);
  return {
    serverFlags: {
      'advertise-address': addresses.node,
      'client-ca-file': ca,
      // The second plugin as on OpenShift: owner references need permission to update finalizers of the owner.
      'enable-admission-plugins': 'NodeRestriction,OwnerReferencesPermissionEnforcement',
      'kubelet-certificate-authority': ca,
      'kubelet-client-certificate': await write('kubelet-client.crt', credentials.kubeletClient.cert),
      'kubelet-client-key': await write('kubelet-client.key', credentials.kubeletClient.key),
      'kubelet-preferred-address-types': 'InternalIP',
      'egress-selector-config-file': await write('egress.json', throughNode(runFolders(data.run).dialSocket)),
      'audit-policy-file': await write('audit-policy.json', auditPolicy(audited)),
      'audit-log-path': auditLog,
    },
    managerFlags: { controllers: '*', 'root-ca-file': ca },
  };
}

/** Connections to the kubelet, to pods and to Services go through the node, which serves HTTP CONNECT. */
function throughNode(udsName: string): object {
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } };
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection }],
  };
}

/** Records the requests of these ServiceAccounts, and all writes of Secrets, without their content. */
function auditPolicy(audited: readonly string[]): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'Metadata', users: audited.map((account) => `system:serviceaccount:${account}`) },
      {
        level: 'Metadata',
        verbs: ['create', 'update', 'patch', 'delete'],
        resources: [{ group: '', resources: ['secrets'] }],
      },
      { level: 'None' },
    ],
  };
}

/** Writes the Endpoints of kube-apiserver for pods: it does not do so itself when it listens on loopback. */
async function publishServer(kube: Client): Promise<void> {
  await kube.create(EndpointSlice, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'default',
      name: 'kubernetes',
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [addresses.node], conditions: { ready: true } }],
    ports: [{ name: 'https', port: addresses.apiServerPort, protocol: 'TCP' }],
  });
}
