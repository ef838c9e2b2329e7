// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { EndpointSlice, Namespace, PriorityClass, Service } from '@forge/kube/kinds/builtin.ts';
import { firstAddress } from '../registry/allocation/allocate-address.ts';
import type { ServerContext } from '../request/server-context.ts';
import { systemPriorities } from '../validation/system-priorities.ts';
import { createIfMissing } from './create-if-missing.ts';

/** Address of the API server for pods. */
export interface Endpoint {
  address: string;
  port: number;
}

/** Creates the system objects: four namespaces, two priority classes, and the Service of this server. */
export async function createSystemObjects(
  server: ServerContext,
  api: Client,
  endpoint: Endpoint | undefined,
): Promise<void> {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    createIfMissing(
      server,
      Namespace,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      manager.fieldManager,
    );
  }
  for (const [name, { value, description }] of Object.entries(systemPriorities)) {
    const priority: PriorityClass = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    };
    createIfMissing(server, PriorityClass, priority, manager.fieldManager);
  }
  if (endpoint === undefined) return;
  await api.apply(Service, kubernetesService(firstAddress(server.serviceCidr), endpoint), { ...manager, force: true });
  await api.apply(EndpointSlice, kubernetesEndpoints(endpoint), { ...manager, force: true });
}

const manager = { fieldManager: 'kube-apiserver' };

function kubernetesService(clusterIP: string, { port }: Endpoint): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP, ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }], type: 'ClusterIP' },
  };
}

function kubernetesEndpoints({ address, port }: Endpoint): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
}
