// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { pod } from '../../objects/objects.ts';

const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };

const twoContainers = {
  containers: [
    { name: 'main', image: 'example:1' },
    { name: 'side', image: 'example:1' },
  ],
  initContainers: [{ name: 'first', image: 'example:1' }],
};

/** A node without a running kubelet. */
function awayNode(name: string, addresses: object[]) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
    status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } },
  };
}

/** Logs, commands and ports of pods through the API. */
export const connections: readonly ConformanceCase[] = [
  testCase('only a pod that is there can be connected to', async (api) => {
    await api.get('pods/none/log');
    await api.post('pods/none/exec', undefined, { command: 'ls' });
    await api.get('pods/none/attach');
    await api.post('pods/none/portforward', undefined);
  }),

  testCase('the container of a connection must be one of the pod’s', async (api) => {
    await api.post('pods', pod('a', { ...twoContainers, nodeName: `${api.namespace}-none` }));
    for (const query of [{}, { container: 'none' }, { container: 'first' }]) {
      await api.get('pods/a/log', query);
      await api.post('pods/a/exec', undefined, { command: 'ls', ...query });
      await api.post('pods/a/attach', undefined, query);
    }
  }),

  testCase('a pod without a host has an empty log and takes no connections', async (api) => {
    await api.post('pods', pod('a'));
    await api.get('pods/a/log');
    await api.get('pods/a/log', { container: 'none' });
    await api.post('pods/a/exec', undefined, { command: 'ls' });
    await api.post('pods/a/attach', undefined);
    await api.post('pods/a/portforward', undefined, { ports: '80' });
  }),

  testCase('a pod whose node is unknown cannot be connected to', async (api) => {
    await api.post('pods', pod('a', { nodeName: `${api.namespace}-none` }));
    await api.get('pods/a/log');
    await api.post('pods/a/exec', undefined, { command: 'ls' });
    await api.post('pods/a/portforward', undefined);
    const nameless = awayNode(`${api.namespace}-nameless`, [{ type: 'Other', address: '127.0.0.1' }]);
    await api.post('/api/v1/nodes', nameless);
    await api.post('pods', pod('b', { nodeName: nameless.metadata.name }));
    await api.get('pods/b/log');
    await api.post('pods/b/attach', undefined);
  }),

  testCase('a node that does not answer is told by its address', async (api) => {
    const node = awayNode(`${api.namespace}-away`, [{ type: 'InternalIP', address: '127.0.0.1' }]);
    await api.post('/api/v1/nodes', node);
    await api.post('pods', pod('a', { nodeName: node.metadata.name }));
    await api.get('pods/a/log', { tailLines: '5', follow: 'true', timestamps: 'false', pretty: 'true' });
    await api.get('pods/a/exec', { command: 'ls' }, upgrade);
    await api.get('pods/a/portforward', {}, upgrade);
  }),

  testCase('a connection must be upgraded, by GET or POST', async (api) => {
    const node = awayNode(`${api.namespace}-plain`, [{ type: 'InternalIP', address: '127.0.0.1' }]);
    await api.post('/api/v1/nodes', node);
    await api.post('pods', pod('a', { nodeName: node.metadata.name }));
    for (const subresource of ['exec', 'attach', 'portforward']) {
      await api.get(`pods/a/${subresource}`);
      await api.post(`pods/a/${subresource}`, undefined);
      await api.put(`pods/a/${subresource}`, {});
      await api.delete(`pods/a/${subresource}`);
    }
    await api.post('pods/a/log', undefined);
  }),

  testCase('impossible wishes about a log are refused', async (api) => {
    await api.post('pods', pod('a'));
    for (const query of [
      { tailLines: '-1' },
      { limitBytes: '0' },
      { sinceSeconds: '0' },
      { sinceSeconds: '5', sinceTime: '2020-01-01T00:00:00Z' },
      { sinceSeconds: '-5', limitBytes: '-1' },
      { tailLines: 'many' },
      { sinceTime: 'yesterday' },
      { follow: 'maybe' },
      { stream: 'Stdout' },
      { stream: 'Stdin' },
      { stream: 'Stderr', tailLines: '1' },
    ] as Record<string, string>[]) {
      await api.get('pods/a/log', query);
    }
  }),

  testCase('a connection by GET needs the right to create one', async (api) => {
    await api.post('pods', pod('a'));
    const role = 'rbac.authorization.k8s.io/v1/roles';
    const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['get'] }];
    await api.post(role, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules });
    await api.post('rbac.authorization.k8s.io/v1/rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    const ann = { 'impersonate-user': 'ann' };
    await api.get('pods/a/exec', { command: 'ls' }, { ...ann, ...upgrade });
    await api.get('pods/a/attach', {}, ann);
    await api.get('pods/a/portforward', {}, ann);
    await api.post('pods/a/exec', undefined, { command: 'ls' }, ann);
    await api.get('pods/a/log', {}, ann);
  }),
];
