// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, deployment } from '../../objects/objects.ts';

/** Creating, reading, updating. */
export const objects: readonly ConformanceCase[] = [
  testCase('a config map is created, read, updated and deleted', async (api) => {
    const created = await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.get('configmaps/a');
    await api.put('configmaps/a', { ...created, data: { color: 'blue' } });
    await api.delete('configmaps/a');
    await api.get('configmaps/a');
  }),

  testCase('a deployment is created with its defaults', async (api) => {
    await api.post('apps/v1/deployments', deployment('web'));
  }),

  testCase('an update of the spec bumps the generation, one of labels or status does not', async (api) => {
    await api.post('apps/v1/deployments', deployment('web', { replicas: 1 }));
    const scaled = await api.put('apps/v1/deployments/web', deployment('web', { replicas: 2 }));
    const labels = { tier: 'front' };
    const labelled = await api.put('apps/v1/deployments/web', { ...scaled, metadata: { ...scaled.metadata, labels } });
    await api.put('apps/v1/deployments/web/status', { ...labelled, status: { observedGeneration: 2, replicas: 2 } });
    // The status endpoint does not change the spec, nor the main one the status.
    await api.put('apps/v1/deployments/web/status', { ...deployment('web', { replicas: 5 }), status: {} });
    await api.put('apps/v1/deployments/web', { ...deployment('web', { replicas: 2 }), status: { replicas: 7 } });
  }),

  testCase('an update that changes nothing keeps the resource version', async (api) => {
    const created = await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.put('configmaps/a', created);
  }),

  testCase('an update of an old version is a conflict', async (api) => {
    const created = await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', { ...created, data: { color: 'red' } });
    await api.put('configmaps/a', { ...created, data: { color: 'blue' } });
  }),

  testCase('an update with another uid is a conflict', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('a', {}, { uid: '00000000-0000-0000-0000-000000000000' }));
  }),

  testCase('an update without a version overwrites', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }, { labels: { app: 'a' } }));
    await api.put('configmaps/a', configMap('a', { color: 'blue' }));
  }),

  testCase('an object that is not there can be neither read, updated, patched nor deleted', async (api) => {
    await api.get('apps/v1/deployments/none');
    await api.put('apps/v1/deployments/none', deployment('none'));
    await api.patch('merge', 'apps/v1/deployments/none', {});
    await api.delete('apps/v1/deployments/none');
  }),

  testCase('an object is created once only', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('a'));
  }),

  testCase('a name must be a DNS subdomain', async (api) => {
    await api.post('configmaps', configMap('No_Name'));
    await api.post('configmaps', configMap(''));
  }),

  testCase('a generated name ends in a suffix of five', async (api) => {
    await api.post('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } });
  }),

  testCase('name, namespace, kind and version of the body must fit the path', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('b'));
    await api.post('configmaps', configMap('c', {}, { namespace: 'default' }));
    await api.post('configmaps', { ...configMap('d'), kind: 'Secret' });
    await api.post('configmaps', { ...configMap('e'), apiVersion: 'v2' });
  }),

  testCase('a body that is no JSON is refused', async (api) => {
    await api.post('configmaps', '{"apiVersion": "v1", ');
    await api.post('configmaps', '{"metadata": {"name": "a", "labels": {"app": "web"}} "data": {}}');
    await api.post('configmaps', 'nonsense that has more than thirty letters');
    await api.post('configmaps', '');
  }),

  testCase('a dry run answers as if, and stores nothing', async (api) => {
    await api.post('configmaps', configMap('a'), { dryRun: 'All' });
    await api.get('configmaps/a');
    await api.post('configmaps', configMap('b', { color: 'red' }));
    await api.put('configmaps/b', configMap('b', { color: 'blue' }), { dryRun: 'All' });
    await api.delete('configmaps/b', undefined, { dryRun: 'All' });
    await api.get('configmaps/b');
  }),

  testCase('unknown and duplicate fields are dropped, warned of or refused as the caller wants', async (api) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{},"data":{},"colour":"red"}';
    await api.post('configmaps', body, { dryRun: 'All', fieldValidation: 'Ignore' });
    await api.post('configmaps', body, { dryRun: 'All', fieldValidation: 'Warn' });
    await api.post('configmaps', body, { dryRun: 'All', fieldValidation: 'Strict' });
    await api.post('configmaps', body, { dryRun: 'All' });
  }),

  testCase('a field named twice is told with its path', async (api) => {
    const container = '{"name":"main","image":"a","image":"b","env":[{"name":"A","name":"B"}]}';
    const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[${container}]}}`;
    await api.post('pods', body, { dryRun: 'All', fieldValidation: 'Strict' });
  }),
];
