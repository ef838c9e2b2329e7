// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap } from '../../objects/objects.ts';

/** Paths other than those of objects, and trailing slashes. */
export const endpoints: readonly ConformanceCase[] = [
  testCase('a slash at the end changes nothing where things are found by their path', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.get('configmaps/', { fieldSelector: 'metadata.name=a' });
    await api.get('configmaps/a/');
    await api.get('/apis/apps/');
    await api.get('/apis/coordination.k8s.io/v1/');
    for (const path of [
      '/healthz/',
      '/livez/',
      '/readyz/',
      '/nothing/',
      '/apis/nothing/',
      '/openapi/v2/',
      '/metrics/',
    ]) {
      await api.get(path);
    }
  }),
  testCase('the whole API is described in JSON, and in no encoding of objects', async (api) => {
    await api.get('/openapi/v2', {}, { accept: 'application/yaml' });
    await api.get('/openapi/v2', {}, { accept: 'application/vnd.kubernetes.protobuf' });
  }),
  testCase('health can be asked check by check', async (api) => {
    for (const path of ['/livez/ping', '/readyz/ping', '/healthz/log', '/livez/etcd', '/readyz/informer-sync']) {
      await api.get(path);
      await api.get(path, { verbose: '' });
    }
    for (const path of ['/livez/ping/', '/livez/nothing', '/readyz/a/b']) await api.get(path);
    await api.get('/livez', { exclude: 'nothing' });
  }),
];
