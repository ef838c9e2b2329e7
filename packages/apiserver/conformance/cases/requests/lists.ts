// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMap, pod } from '../../objects/objects.ts';

interface List {
  metadata: { resourceVersion: string; continue: string };
}

async function threeConfigMaps(api: Conversation): Promise<void> {
  await api.post('configmaps', configMap('a', {}, { labels: { app: 'web', tier: 'front' } }));
  await api.post('configmaps', configMap('b', {}, { labels: { app: 'web' } }));
  await api.post('configmaps', configMap('c'));
}

/** Lists: selectors, pages, representations. */
export const lists: readonly ConformanceCase[] = [
  testCase('a list comes in pages that show one moment', async (api) => {
    await threeConfigMaps(api);
    const first = await api.get<List>('configmaps', { limit: '2' });
    await api.delete('configmaps/c');
    await api.get('configmaps', { limit: '2', continue: first.metadata.continue });
    await api.get('configmaps', { continue: 'nonsense' });
  }),

  testCase('labels select', async (api) => {
    await threeConfigMaps(api);
    for (const labelSelector of ['app=web', 'app=web,tier!=front', 'app in (web),!tier', '!app']) {
      await api.get('configmaps', { labelSelector });
    }
    await api.get('configmaps', { labelSelector: 'a==b==c' });
  }),

  testCase('fields select', async (api) => {
    await api.post('pods', pod('a', { nodeName: 'node-1' }));
    await api.post('pods', pod('b'));
    await api.get('pods', { fieldSelector: 'spec.nodeName=node-1' });
    await api.get('pods', { fieldSelector: 'metadata.name!=a,status.phase=Pending' });
    await api.get('pods', { fieldSelector: 'spec.hostname=a' });
  }),

  testCase('pods are told as a Table', async (api) => {
    await api.post('pods', pod('a'));
    await api.get('pods', {}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' });
  }),

  testCase('metadata alone is told when asked for', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.get('configmaps', {}, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' });
    await api.get('configmaps/a', {}, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
  }),
];
