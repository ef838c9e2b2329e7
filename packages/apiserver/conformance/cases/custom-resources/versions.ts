// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMap } from '../../objects/objects.ts';

interface List {
  metadata: { resourceVersion: string; continue: string };
}

/** Creates a, b and c, one after the other; returns their resource versions. */
async function threeConfigMaps(api: Conversation): Promise<[string, string, string]> {
  const create = async (name: string): Promise<string> => {
    const { metadata } = await api.post('configmaps', configMap(name, {}, { labels: { row: api.namespace } }));
    return metadata.resourceVersion ?? '';
  };
  return [await create('a'), await create('b'), await create('c')];
}

function tokenOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Reads at a resource version, and paginated lists. */
export const versions: readonly ConformanceCase[] = [
  testCase('a list shows the moment of an exact version', async (api) => {
    const [first, second] = await threeConfigMaps(api);
    await api.delete('configmaps/a');
    for (const resourceVersion of [first, second]) {
      await api.get('configmaps', { resourceVersion, resourceVersionMatch: 'Exact' });
    }
  }),

  testCase('a list not older than a version is the newest', async (api) => {
    const [first, , third] = await threeConfigMaps(api);
    for (const resourceVersion of [first, third]) {
      await api.get('configmaps', { resourceVersion, resourceVersionMatch: 'NotOlderThan' });
      await api.get('configmaps', { resourceVersion });
      await api.get('configmaps', { resourceVersion, resourceVersionMatch: 'NotOlderThan', limit: '1' });
    }
  }),

  testCase('pages go on from an exact version', async (api) => {
    const [, second] = await threeConfigMaps(api);
    const exact = { resourceVersion: second, resourceVersionMatch: 'Exact' };
    const first = await api.get<List>('configmaps', { ...exact, limit: '1' });
    await api.get('configmaps', { limit: '1', continue: first.metadata.continue });
    await api.get<List>('configmaps', { resourceVersion: second, limit: '1' });
  }),

  testCase('a list of any version', async (api) => {
    const [, , third] = await threeConfigMaps(api);
    await api.get('configmaps', { resourceVersion: third });
    await api.get('configmaps', { resourceVersion: '0' });
    await api.get('configmaps', { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' });
    await api.get('configmaps', { resourceVersion: '0', limit: '2' });
  }),

  testCase('a version that is none is refused', async (api) => {
    await api.post('configmaps', configMap('a'));
    for (const resourceVersion of ['x', '-1', '1.5', '01']) {
      await api.get('configmaps', { resourceVersion });
      await api.get('configmaps/a', { resourceVersion });
      await api.watch('configmaps', { resourceVersion, timeoutSeconds: '1' });
    }
  }),

  testCase('how a version is to match must make sense', async (api) => {
    const [first] = await threeConfigMaps(api);
    await api.get('configmaps', { resourceVersionMatch: 'Exact' });
    await api.get('configmaps', { resourceVersionMatch: 'NotOlderThan' });
    await api.get('configmaps', { resourceVersion: '0', resourceVersionMatch: 'Exact' });
    await api.get('configmaps', { resourceVersion: first, resourceVersionMatch: 'Newer' });
    const page = await api.get<List>('configmaps', { limit: '1' });
    await api.get('configmaps', { continue: page.metadata.continue, resourceVersionMatch: 'Exact' });
    await api.get('configmaps', { continue: page.metadata.continue, resourceVersion: first });
    await api.get('configmaps', { continue: page.metadata.continue, resourceVersion: '0' });
    await api.get('configmaps', { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' });
  }),

  testCase('a version yet to come is refused after a while', async (api) => {
    await api.post('configmaps', configMap('a'));
    const resourceVersion = '1000000000';
    await api.get('configmaps', { resourceVersion });
    await api.get('configmaps', { resourceVersion, resourceVersionMatch: 'NotOlderThan' });
    await api.get('configmaps', { resourceVersion, resourceVersionMatch: 'Exact' });
    await api.get('configmaps/a', { resourceVersion });
  }),

  testCase('one object is read at any version', async (api) => {
    const [first] = await threeConfigMaps(api);
    await api.get('configmaps/a', { resourceVersion: first });
    await api.get('configmaps/a', { resourceVersion: '0' });
    await api.get('configmaps/a', { resourceVersion: first, resourceVersionMatch: 'Exact' });
  }),

  testCase('pages of all namespaces', async (api) => {
    await threeConfigMaps(api);
    const labelSelector = `row=${api.namespace}`;
    const first = await api.get<List>('/api/v1/configmaps', { labelSelector, limit: '2' });
    await api.get('/api/v1/configmaps', { labelSelector, limit: '2', continue: first.metadata.continue });
  }),

  testCase('pages of what is selected do not say how much is left', async (api) => {
    await threeConfigMaps(api);
    await api.get('configmaps', { limit: '1', labelSelector: 'row' });
    await api.get('configmaps', { limit: '1', fieldSelector: 'metadata.name!=a' });
    await api.get('configmaps', { limit: '3' });
    await api.get('configmaps', { limit: '500' });
  }),

  testCase('a limit that is none', async (api) => {
    await threeConfigMaps(api);
    for (const limit of ['0', '-1', 'x', '']) await api.get('configmaps', { limit });
  }),

  testCase('a token that is not the server’s is refused', async (api) => {
    const [first] = await threeConfigMaps(api);
    const tokens = [
      'x',
      tokenOf('{}'),
      tokenOf('{"v":"meta.k8s.io/v2","rv":1,"start":"/a"}'),
      tokenOf('{"v":"meta.k8s.io/v1","rv":0,"start":"/a"}'),
      tokenOf(`{"v":"meta.k8s.io/v1","rv":${first},"start":""}`),
      tokenOf(`{"v":"meta.k8s.io/v1","rv":${first},"start":"/../x"}`),
      tokenOf('{"v":"meta.k8s.io/v1","rv":-1,"start":"/a\\u0000"}'),
    ];
    for (const each of tokens) await api.get('configmaps', { continue: each });
  }),

  testCase('a field selector by name lists one', async (api) => {
    await threeConfigMaps(api);
    await api.get('configmaps', { fieldSelector: 'metadata.name=b' });
    await api.get('configmaps', { fieldSelector: 'metadata.name==b,metadata.namespace=elsewhere' });
    await api.get('configmaps', { fieldSelector: 'data.color=red' });
    await api.get('configmaps', { fieldSelector: 'metadata.name' });
    await api.get('secrets', { fieldSelector: 'data.color=red' });
    await api.get('apps/v1/deployments', { fieldSelector: 'spec.replicas=1' });
  }),
];
