// SPDX-License-Identifier: Apache-2.0
import { row, type Row } from '../../conversation/row.ts';
import { configMap } from '../../objects/objects.ts';

/** Watches. */
export const watches: readonly Row[] = [
  row('a watch goes on from a version', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    const watch = await api.watch('configmaps', { resourceVersion: metadata.resourceVersion ?? '' });
    await api.put('configmaps/a', configMap('a', { color: 'red' }));
    await api.delete('configmaps/b');
    await watch.take(3);
  }),

  row('a watch without a version begins with what is there', async (api) => {
    await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps');
    await watch.take(1);
    await api.post('configmaps', configMap('b'));
    await watch.take(1);
  }),

  row('a watch of selected objects tells of those that enter and leave', async (api) => {
    const watch = await api.watch('configmaps', { labelSelector: 'app=web' });
    const labels = { app: 'web' };
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('a', {}, { labels }));
    await api.put('configmaps/a', configMap('a', { color: 'red' }, { labels }));
    await api.put('configmaps/a', configMap('a'));
    await api.post('configmaps', configMap('b', {}, { labels }));
    await watch.take(4);
  }),

  row('a bookmark comes before a watch ends in time', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const query = {
      resourceVersion: metadata.resourceVersion ?? '',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '4',
    };
    const watch = await api.watch('configmaps', query);
    await api.post('configmaps', configMap('b'));
    await watch.takeUntil(({ type }) => type === 'BOOKMARK');
  }),

  row('a watch ends when its time is up', async (api) => {
    await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', { timeoutSeconds: '1' });
    await watch.rest();
  }),

  row('a streamed list ends in a bookmark', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    const watch = await api.watch('configmaps', {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    await watch.take(3);
    await api.delete('configmaps/a');
    await watch.take(1);
  }),
];
