// SPDX-License-Identifier: Apache-2.0
import type { Lease } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

function lease(name: string, spec: object = {}) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
}

/** Leases, events, nodes and namespaces. */
export const cluster: readonly ConformanceCase[] = [
  testCase('a lease is created, taken over and never set back', async (api) => {
    const renewTime = '2020-01-01T00:00:00.123456Z';
    const spec = {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      renewTime,
      acquireTime: renewTime,
      leaseTransitions: 1,
    };
    const created = await api.post<Lease>('coordination.k8s.io/v1/leases', lease('a', spec));
    await api.put('coordination.k8s.io/v1/leases/a', {
      ...created,
      spec: { ...spec, holderIdentity: 'b', leaseTransitions: 0 },
    });
    await api.post(
      'coordination.k8s.io/v1/leases',
      lease('b', { leaseDurationSeconds: 0, leaseTransitions: -1, holderIdentity: '' }),
    );
    await api.post('coordination.k8s.io/v1/leases', lease('c', { renewTime: 'soon' }));
    await api.post('coordination.k8s.io/v1/leases', lease('d', { renewTime: '2020-01-01T00:00:00Z' }));
  }),

  testCase('an event belongs to the namespace of what it tells of', async (api) => {
    const event = (name: string, more: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { kind: 'Pod', name: 'a', namespace: api.namespace },
      reason: 'Started',
      message: 'it has started',
      type: 'Normal',
      ...more,
    });
    await api.post('events', event('a', { count: 1, firstTimestamp: '2020-01-01T00:00:00Z' }));
    await api.post('events', event('b', { involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' } }));
    await api.post('events', event('c', { involvedObject: { kind: 'Node', name: 'a' } }));
    await api.post('events', event('d', { involvedObject: undefined }));
    await api.post('events', event('e', { reportingComponent: 'a', eventTime: '2020-01-01T00:00:00.000000Z' }));
    await api.patch('merge', 'events/a', { count: 2, reason: 'Stopped' });
  }),

  testCase('a node is created as its kubelet says', async (api) => {
    const name = `${api.namespace}-a`;
    await api.post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      // A real server adds this taint, and a controller removes it.
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      status: { capacity: { cpu: '2', memory: '4Gi' }, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
    });
    await api.patch('strategic', `/api/v1/nodes/${name}/status`, {
      metadata: { labels: { zone: 'a' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await api.patch('merge', `/api/v1/nodes/${name}`, { spec: { unschedulable: true } });
    await api.patch('merge', `/api/v1/nodes/${name}`, { spec: { taints: [{ key: 'not a key', effect: 'Later' }] } });
    await api.patch('merge', `/api/v1/nodes/${name}`, { spec: { providerID: 'a' } });
    await api.patch('merge', `/api/v1/nodes/${name}`, { spec: { providerID: 'b', podCIDR: 'here' } });
  }),

  testCase('a write of the status may change metadata, but for what the kind keeps', async (api) => {
    const containers = [{ name: 'main', image: 'example:1' }];
    const labels = { app: 'a' };
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
    const kinds = { deployments: 'Deployment', replicasets: 'ReplicaSet' };
    const metadata = { labels, annotations: { note: 'a' } };
    for (const [plural, kind] of Object.entries(kinds)) {
      await api.post(`apps/v1/${plural}`, { apiVersion: 'apps/v1', kind, metadata: { name: 'a' }, spec });
      await api.patch('merge', `apps/v1/${plural}/a/status`, {
        metadata,
        spec: { replicas: 5 },
        status: { replicas: 1 },
      });
    }
  }),

  testCase('a namespace is created with its name as a label', async (api) => {
    const name = `${api.namespace}-a`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await api.post('/api/v1/namespaces', namespace);
    await api.put(`/api/v1/namespaces/${name}`, { ...namespace, spec: { finalizers: [] } });
    await api.post('/api/v1/namespaces', { ...namespace, metadata: { name: `${api.namespace}.b` } });
  }),
];
