// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from '../../conversation/conversation.ts';
import { row, type Row } from '../../conversation/row.ts';
import { configMap, pod } from '../../objects/objects.ts';

interface List {
  metadata: { resourceVersion: string; continue: string };
}

async function threeConfigMaps(api: Conversation): Promise<void> {
  await api.post('configmaps', configMap('a', {}, { labels: { app: 'web', tier: 'front' } }));
  await api.post('configmaps', configMap('b', {}, { labels: { app: 'web' } }));
  await api.post('configmaps', configMap('c'));
}

/** Lists: selectors, pages, forms. */
export const lists: readonly Row[] = [
  row('a list comes in pages that show one moment', async (api) => {
    await threeConfigMaps(api);
    const first = await api.get<List>('configmaps', { limit: '2' });
    await api.delete('configmaps/c');
    await api.get('configmaps', { limit: '2', continue: first.metadata.continue });
    await api.get('configmaps', { continue: 'nonsense' });
  }),

  row('labels select', async (api) => {
    await threeConfigMaps(api);
    for (const labelSelector of ['app=web', 'app=web,tier!=front', 'app in (web),!tier', '!app']) {
      await api.get('configmaps', { labelSelector });
    }
    await api.get('configmaps', { labelSelector: 'a==b==c' });
  }),

  row('fields select', async (api) => {
    await api.post('pods', pod('a', { nodeName: 'node-1' }));
    await api.post('pods', pod('b'));
    await api.get('pods', { fieldSelector: 'spec.nodeName=node-1' });
    await api.get('pods', { fieldSelector: 'metadata.name!=a,status.phase=Pending' });
    await api.get('pods', { fieldSelector: 'spec.hostname=a' });
  }),

  row('pods are told as a Table', async (api) => {
    await api.post('pods', pod('a'));
    await api.get('pods', {}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' });
  }),

  row('metadata alone is told when asked for', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.get('configmaps', {}, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' });
    await api.get('configmaps/a', {}, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
  }),
];
