// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { definitions, valueDefinition } from '../../objects/define-values.ts';
import { configMap } from '../../objects/objects.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const integer = { type: 'integer' };

/** A service that is reachable from outside the cluster. */
function balanced(name: string, spec: object) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30_040 }], ...spec },
  };
}

/** Details of the API that clients rarely encounter. */
export const finerPoints: readonly ConformanceCase[] = [
  testCase('an account of managers is reset by an empty list or entry', async (api) => {
    const created = await api.post('configmaps', configMap('a', { color: 'red' }));
    const { resourceVersion: _, ...metadata } = created.metadata;
    await api.put('configmaps/a', { ...created, metadata: { ...metadata, managedFields: [] } });
    await api.put('configmaps/a', { ...created, metadata: { ...metadata, managedFields: [{}] } });
    await api.put('configmaps/a', { ...configMap('a', { color: 'blue' }) });
    await api.patch('merge', 'configmaps/a', { metadata: { managedFields: null } });
    await api.post('configmaps', configMap('b', { color: 'red' }, { managedFields: [{} as never] }));
    await api.patch('merge', 'configmaps/b', { metadata: { managedFields: null } });
    await api.patch('merge', 'configmaps/b', { metadata: { managedFields: [] } });
    await api.patch('merge', 'configmaps/b', { metadata: { managedFields: [{}, {}] } });
  }),

  testCase('a writer has a short name that can be printed', async (api) => {
    const long = { fieldManager: 'x'.repeat(129) };
    const odd = { fieldManager: 'a\tb' };
    await api.post('configmaps', configMap('a'), long);
    await api.post('configmaps', configMap('a'), odd);
    await api.post('configmaps', configMap('a'), { fieldManager: 'x'.repeat(128) });
    await api.put('configmaps/a', configMap('a'), odd);
    await api.patch('merge', 'configmaps/a', {}, long);
    await api.apply('configmaps/a', '\u0007', configMap('a'));
    await api.patch('merge', 'configmaps/a', {}, { fieldManager: 'é\u00a0' });
  }),

  testCase('options of writes are checked before anything else', async (api) => {
    await api.post('configmaps', configMap('a'), { dryRun: 'Some' });
    await api.post('configmaps', configMap('a'), { fieldValidation: 'Hard' });
    await api.put('configmaps/none', configMap('none'), { dryRun: 'Some', fieldValidation: 'Hard' });
    await api.patch('merge', 'configmaps/none', {}, { fieldValidation: 'Hard' });
    await api.patch('merge', 'configmaps/none', {}, { force: 'true' });
    await api.patch('json', 'configmaps/none', [], { force: 'false' });
    await api.apply('configmaps/a', 'alice', configMap('a'), { dryRun: 'Some', force: 'true' });
    await api.post('pods/none/binding', { apiVersion: 'v1', kind: 'Binding' }, { dryRun: 'Some' });
  }),

  testCase('options of deletes are checked before anything else', async (api) => {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
    await api.delete('configmaps/a', { ...options, propagationPolicy: 'Sideways' });
    await api.delete('configmaps/a', { ...options, propagationPolicy: 'Orphan', orphanDependents: true });
    await api.delete('configmaps/a', { ...options, dryRun: ['All', 'Some'] });
    await api.delete('configmaps/a', undefined, { dryRun: 'Some', propagationPolicy: 'Sideways' });
    await api.delete('configmaps', { ...options, dryRun: ['Some'] });
    await api.delete('configmaps/a', { ...options, gracePeriodSeconds: 'long' });
    await api.delete('configmaps/a', undefined, { gracePeriodSeconds: 'long' });
    await api.delete('configmaps/a', { ...options, propagationPolicy: 'Orphan' });
  }),

  testCase('a JSON patch can test that nothing is there', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    const patch = (...operations: object[]) => api.patch('json', 'configmaps/a', operations);
    await patch({ op: 'test', path: '/data/size', value: null });
    await patch({ op: 'test', path: '/binaryData/size', value: null });
    await patch({ op: 'test', path: '/data/color', value: null });
    await patch({ op: 'test', path: '/data/size' });
    await patch({ op: 'test', path: '/data/size', value: 'small' });
    await patch({ op: 'remove', path: '/data/size' });
    await patch({ op: 'replace', path: '/data/size', value: 'small' });
    await patch({ op: 'move', from: '/data/none', path: '/data/other' });
    await patch({ op: 'replace', path: '/data' });
    await patch({ op: 'add', path: '/metadata/labels', value: { a: 'b' } });
    await patch({ op: 'replace', path: '/metadata/finalizers/0', value: 'example.com/a' });
    await patch({ op: 'add', path: '/metadata/finalizers', value: ['example.com/a'] });
    await patch({ op: 'replace', path: '/metadata/finalizers/1', value: 'example.com/b' });
    await patch({ op: 'test', path: '/metadata/finalizers/1', value: null });
    await patch({ op: 'remove', path: '/metadata/finalizers/-1' });
    await patch({ op: 'add', path: '/binaryData/size', value: 'YQ==' });
    await patch({ op: 'grow', path: '/data/size' });
  }),

  testCase('a JSON patch copies values, and not without end', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    const patch = (...operations: object[]) => api.patch('json', 'configmaps/a', operations);
    await patch(
      { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
      { op: 'add', path: '/metadata/labels/c', value: 'd' },
      { op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' },
      { op: 'replace', path: '/metadata/labels/a', value: 'e' },
    );
    await patch({ op: 'copy', from: '/data/none', path: '/data/size' });
    const long = { op: 'add', path: '/data/long', value: 'x'.repeat(400_000) };
    await patch(long, ...Array.from({ length: 8 }, () => ({ op: 'copy', from: '/data/long', path: '/data/long' })));
  }),

  testCase('defaults of a definition must fit its schema', async (api) => {
    for (const field of [
      { ...integer, minimum: 3, default: 1 },
      { ...integer, default: 'one' },
      { ...text, enum: ['a', 'b'], default: 'c' },
      { ...text, pattern: '^a+$', maxLength: 2, default: 'bbb' },
      object({ a: text }, { default: { b: 'c' } }),
      object({ a: text }, { required: ['a'], default: {} }),
      object({ a: { ...text, default: 'x' } }, { required: ['a'], default: {} }),
      { type: 'array', items: { ...integer, maximum: 1 }, default: [1, 2] },
      { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 3' }], default: 1 },
      { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 3' }], default: 4 },
      object({ a: integer }, { 'x-kubernetes-validations': [{ rule: 'self.a > 3' }], default: { a: 2 } }),
    ]) {
      await api.post(definitions, valueDefinition(api, { spec: object({ field }) }), { dryRun: 'All' });
    }
  }),

  testCase('alternatives of a schema say only what is allowed there', async (api) => {
    for (const field of [
      { ...integer, allOf: [{ ...integer, minimum: 1 }] },
      { ...integer, anyOf: [{ default: 1 }] },
      { ...integer, oneOf: [{ description: 'one' }] },
      { ...integer, not: { nullable: true } },
      object({ a: text }, { allOf: [{ properties: { b: { minLength: 1 } } }] }),
      object({ a: text }, { allOf: [{ required: ['a'], properties: { a: { minLength: 1 } } }] }),
      object({ a: text }, { anyOf: [{ additionalProperties: { minLength: 1 } }] }),
      { type: 'array', items: text, anyOf: [{ items: { minLength: 1 } }] },
      { ...text, anyOf: [{ items: { minLength: 1 } }] },
      { ...integer, allOf: [{ 'x-kubernetes-validations': [{ rule: 'self > 3' }] }] },
      { ...integer, anyOf: [{ 'x-kubernetes-validations': [{ rule: 'self > 3' }] }] },
      { ...integer, allOf: [{ 'x-kubernetes-validations': [{ rule: 'self.size() > 3' }] }] },
    ]) {
      await api.post(definitions, valueDefinition(api, { spec: object({ field }) }), { dryRun: 'All' });
    }
  }),

  testCase('a service that keeps its traffic local has a port for its health', async (api) => {
    const local = { externalTrafficPolicy: 'Local' };
    await api.post('services', balanced('a', { ...local, healthCheckNodePort: 30_041 }));
    await api.patch('merge', 'services/a', { spec: { healthCheckNodePort: 30_042 } });
    const ports = [{ port: 80, nodePort: 30_042 }];
    await api.post('services', balanced('d', { ...local, healthCheckNodePort: 30_041, ports }));
    await api.post('services', balanced('d', { ...local, healthCheckNodePort: 80, ports }));
    await api.patch('merge', 'services/a', { metadata: { labels: { a: 'b' } } });
    await api.patch('merge', 'services/a', { spec: { externalTrafficPolicy: 'Cluster' } });
    await api.patch('merge', 'services/a', { spec: { externalTrafficPolicy: 'Cluster', healthCheckNodePort: 0 } });
    await api.post('services', balanced('b', { healthCheckNodePort: 30_043, ports: [{ port: 80, nodePort: 30_044 }] }));
    await api.post('services', balanced('c', { ...local, ports: [{ port: 80, nodePort: 30_045 }] }));
    await api.patch('merge', 'services/c', { spec: { type: 'ClusterIP' } });
  }),

  testCase('claims and volumes in use are protected', async (api) => {
    const accessModes = ['ReadWriteOnce'];
    await api.post('persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
    });
    await api.delete('persistentvolumeclaims/a');
    await api.patch('merge', 'persistentvolumeclaims/a', { metadata: { finalizers: null } });
    const capacity = { storage: '1Gi' };
    await api.post('/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: api.namespace, finalizers: ['example.com/a'] },
      spec: { capacity, accessModes, hostPath: { path: '/tmp' } },
    });
    await api.patch('merge', `/api/v1/persistentvolumes/${api.namespace}`, { metadata: { finalizers: null } });
  }),

  testCase('a new node is not ready', async (api) => {
    const node = (name: string, spec: object) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `${api.namespace}-${name}` },
      spec,
    });
    await api.post('/api/v1/nodes', node('a', {}));
    await api.post('/api/v1/nodes', node('b', { taints: [{ key: 'a', effect: 'NoExecute' }] }));
    const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    await api.post('/api/v1/nodes', node('c', { taints: [{ ...taint, effect: 'NoExecute' }] }));
    await api.post('/api/v1/nodes', node('d', { taints: [taint] }));
    await api.patch('merge', `/api/v1/nodes/${api.namespace}-a`, { spec: { taints: null } });
  }),
];
