// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap } from '../../objects/objects.ts';

/** Watches. */
export const watches: readonly ConformanceCase[] = [
  testCase('a watch goes on from a version', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    const watch = await api.watch('configmaps', { resourceVersion: metadata.resourceVersion ?? '' });
    await api.put('configmaps/a', configMap('a', { color: 'red' }));
    await api.delete('configmaps/b');
    await watch.take(3);
  }),

  testCase('a watch without a version begins with what is there', async (api) => {
    await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps');
    await watch.take(1);
    await api.post('configmaps', configMap('b'));
    await watch.take(1);
  }),

  testCase('a watch of selected objects tells of those that enter and leave', async (api) => {
    const watch = await api.watch('configmaps', { labelSelector: 'app=web' });
    const labels = { app: 'web' };
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('a', {}, { labels }));
    await api.put('configmaps/a', configMap('a', { color: 'red' }, { labels }));
    await api.put('configmaps/a', configMap('a'));
    await api.post('configmaps', configMap('b', {}, { labels }));
    await watch.take(4);
  }),

  testCase('a bookmark comes before a watch ends in time', async (api) => {
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

  testCase('a watch ends when its time is up', async (api) => {
    await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', { timeoutSeconds: '1' });
    await watch.rest();
  }),

  testCase('a streamed list ends in a bookmark', async (api) => {
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
