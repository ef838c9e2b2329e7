// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMaps } from '../../conversation/hooks.ts';
import { definitions, defineValues, valueDefinition } from '../../objects/define-values.ts';
import { configMap, deployment, pod } from '../../objects/objects.ts';

/** A rule for all operations on deployments, their status and their scale. */
const deployments = {
  operations: ['*'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments', 'deployments/*'],
};

/** Requests that webhooks receive. */
export const webhookRequests: readonly ConformanceCase[] = [
  testCase('a mutating webhook is asked about a create as it was sent', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'allow' });
    await api.post('configmaps', configMap('a', { color: 'red' }, { labels: { app: 'a' } }), { fieldManager: 'me' });
    await api.hooks.received();
    await api.post('configmaps', { ...configMap('b'), metadata: { generateName: 'b-' } }, { dryRun: 'All' });
    await api.hooks.received();
  }),

  testCase('a validating webhook is asked about an object as it will be stored', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'allow' });
    await api.post('configmaps', configMap('a', { color: 'red' }), { fieldValidation: 'Strict' });
    await api.hooks.received();
    await api.post('configmaps', { ...configMap('b'), metadata: { generateName: 'b-' } });
    await api.hooks.received();
  }),

  testCase('a webhook is asked about updates, patches and applies', async (api) => {
    const created = await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.post('configmaps', configMap('b', { color: 'red' }));
    await api.post('configmaps', configMap('c', { color: 'red' }));
    await api.hooks.create('mutating', 'm', { answer: 'allow', rules: [configMaps('CREATE', 'UPDATE')] });
    await api.put('configmaps/a', { ...created, data: { color: 'blue' } });
    await api.hooks.received();
    await api.patch('merge', 'configmaps/b', { data: { size: '1' } }, { fieldManager: 'me' });
    await api.hooks.received();
    await api.apply('configmaps/c', 'me', configMap('c', { shape: 'round' }), { force: 'true' });
    await api.hooks.received();
    await api.apply('configmaps/d', 'me', configMap('d', { shape: 'round' }));
    await api.hooks.received();
  }),

  testCase('a webhook is asked about writes that change nothing', async (api) => {
    const created = await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.apply('configmaps/b', 'me', configMap('b', { color: 'red' }));
    await api.hooks.create('validating', 'v', { answer: 'allow', rules: [configMaps('UPDATE')] });
    await api.put('configmaps/a', created);
    await api.apply('configmaps/b', 'me', configMap('b', { color: 'red' }));
    await api.hooks.received();
  }),

  testCase('a webhook is asked about deletions', async (api) => {
    await api.post('configmaps', configMap('a', {}, { labels: { app: 'a' } }));
    await api.post('configmaps', configMap('b'));
    await api.hooks.create('mutating', 'm', { answer: 'allow', rules: [configMaps('DELETE')] });
    await api.hooks.create('validating', 'v', { answer: 'allow', rules: [configMaps('DELETE')] });
    await api.delete('configmaps/a', { propagationPolicy: 'Background', gracePeriodSeconds: 0 });
    await api.hooks.received();
    await api.delete('configmaps', undefined, { labelSelector: '!app' });
    await api.hooks.received();
  }),

  testCase('a webhook is told how long a dying pod is given', async (api) => {
    await api.post('pods', pod('a', { nodeName: 'n' }));
    const rules = [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
    await api.hooks.create('validating', 'v', { answer: 'allow', rules });
    await api.delete('pods/a');
    await api.hooks.received();
    await api.delete('pods/a', { gracePeriodSeconds: 0, propagationPolicy: 'Foreground' });
    await api.hooks.received();
  }),

  testCase('a webhook is asked about the status and the scale of an object', async (api) => {
    await api.post('apps/v1/deployments', deployment('a', { replicas: 2 }));
    await api.post('apps/v1/deployments', deployment('b', { replicas: 2 }));
    await api.hooks.create('mutating', 'm', { answer: 'allow', rules: [deployments] });
    await api.patch('merge', 'apps/v1/deployments/a/status', { status: { replicas: 1, observedGeneration: 1 } });
    await api.hooks.received();
    await api.patch('merge', 'apps/v1/deployments/b/scale', { spec: { replicas: 3 } });
    await api.hooks.received();
  }),

  testCase('a webhook is asked about custom resources and their status', async (api) => {
    const spec = { type: 'object', properties: { size: { type: 'integer' } } };
    const { path, value } = await defineValues(api, { spec, status: spec }, { subresources: { status: {} } });
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['values', 'values/status'] }];
    await api.post(path, value('a', { size: 1 }));
    await api.post(path, value('b', { size: 1 }));
    await api.hooks.create('validating', 'v', { answer: 'allow', rules });
    await api.patch('merge', `${path}/a/status`, { status: { size: 1 } });
    await api.delete(`${path}/b`);
    await api.post(path, value('c', { size: 1 }));
    await api.hooks.received();
  }),

  testCase('a webhook is asked about connections', async (api) => {
    await api.post('pods', pod('a'));
    const resources = ['pods/exec', 'pods/attach', 'pods/portforward'];
    const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources }];
    await api.hooks.create('validating', 'v', { answer: 'deny', rules });
    await api.post('pods/a/exec', undefined, { command: 'date', container: 'main', stdin: 'true', stdout: 'true' });
    await api.post('pods/a/attach', undefined, { tty: 'true', stdout: 'false' });
    await api.post('pods/a/portforward', undefined, { ports: '80' });
    await api.post('pods/b/exec', undefined, { command: 'date' });
    await api.hooks.received();
  }),

  testCase('a webhook is asked about bindings', async (api) => {
    await api.post('pods', pod('a'));
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/binding'] }];
    await api.hooks.create('validating', 'v', { answer: 'deny', rules });
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
    await api.post('pods/a/binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target });
    await api.hooks.received();
    await api.get('pods/a');
  }),

  testCase('a webhook is asked about namespaces by their own labels', async (api) => {
    const name = `${api.namespace}-b`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { row: api.namespace } } };
    await api.hooks.create('validating', 'v', {
      answer: 'deny',
      // Not all resources: cluster-scoped objects, such as nodes of other cases, match any namespace selector.
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces', 'configmaps'] }],
      namespaceSelector: { matchLabels: { row: api.namespace } },
    });
    await api.post('/api/v1/namespaces', namespace);
    await api.hooks.received();
    await api.post('/api/v1/namespaces', { ...namespace, metadata: { name } });
    await api.post(`/api/v1/namespaces/${name}/configmaps`, configMap('a'));
    await api.patch('merge', `/api/v1/namespaces/${name}`, { metadata: { labels: { row: api.namespace } } });
  }),

  testCase('a webhook is asked about evictions, tokens and reviews', async (api) => {
    await api.post('pods', pod('a'));
    const resources = ['pods/eviction', 'serviceaccounts/token', 'localsubjectaccessreviews'];
    const apiGroups = ['', 'authorization.k8s.io'];
    const rules = [{ operations: ['CREATE'], apiGroups, apiVersions: ['v1'], resources }];
    await api.hooks.create('validating', 'v', { answer: 'deny', rules });
    await api.post('pods/a/eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } });
    await api.hooks.received();
    await api.post('serviceaccounts/default/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const resourceAttributes = { namespace: api.namespace, verb: 'get', resource: 'pods' };
    await api.post('authorization.k8s.io/v1/localsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'LocalSubjectAccessReview',
      metadata: { namespace: api.namespace },
      spec: { user: 'bob', resourceAttributes },
    });
    await api.get('pods/a');
  }),

  testCase('a webhook is asked about what is in no namespace', async (api) => {
    const rules = [
      { operations: ['*'], apiGroups: ['scheduling.k8s.io'], apiVersions: ['v1'], resources: ['*'], scope: 'Cluster' },
    ];
    const objectSelector = { matchLabels: { row: api.namespace } };
    await api.hooks.create('validating', 'v', { answer: 'deny', rules, objectSelector });
    const name = `${api.namespace}-high`;
    const priority = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 10 };
    await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', priority);
    const labels = { row: api.namespace };
    await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      ...priority,
      metadata: { name: `${name}er`, labels },
    });
    await api.hooks.received();
  }),

  testCase('a webhook is asked in the version of reviews that it likes best', async (api) => {
    const admissionReviewVersions = ['v3', 'v1beta1', 'v1'];
    await api.hooks.create('mutating', 'm', { answer: 'add-a', admissionReviewVersions });
    await api.hooks.create('validating', 'v', { answer: 'other-uid', admissionReviewVersions });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook is asked in the version of the resource that it names', async (api) => {
    const definition = valueDefinition(api, { spec: { type: 'object', properties: { size: { type: 'integer' } } } });
    const [v1] = definition.spec.versions;
    const versions = [v1, { ...v1, name: 'v2', storage: false }, { ...v1, name: 'v3', storage: false, served: false }];
    await api.post(definitions, { ...definition, spec: { ...definition.spec, versions } });
    const { group } = definition.spec;
    const path = `${group}/v1/values`;
    await api.eventually(path, (_, status) => status === 200);
    const rules = (version: string) => [
      { operations: ['*'], apiGroups: [group], apiVersions: [version], resources: ['values'] },
    ];
    await api.hooks.create(
      'mutating',
      'm',
      { answer: 'add-a', rules: rules('v2') },
      { answer: 'add-b', rules: rules('v2'), matchPolicy: 'Exact' },
      { answer: 'deny', rules: rules('v3') },
    );
    await api.post(path, { apiVersion: `${group}/v1`, kind: 'Value', metadata: { name: 'a' }, spec: { size: 1 } });
    await api.hooks.received();
  }),
];
