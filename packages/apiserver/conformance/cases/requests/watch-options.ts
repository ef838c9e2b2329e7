// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, pod } from '../../objects/objects.ts';

const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };

/** Options of watches. */
export const watchOptions: readonly ConformanceCase[] = [
  testCase('a watch from any version begins with what is there', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    await api.get('configmaps');
    await api.delete('configmaps/a');
    const watch = await api.watch('configmaps', { resourceVersion: '', timeoutSeconds: '1' });
    await watch.rest();
  }),

  testCase('a streamed list needs its words', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const version = metadata.resourceVersion ?? '';
    const sendInitialEvents = 'true';
    const queries = [
      { sendInitialEvents },
      { sendInitialEvents, allowWatchBookmarks: 'true' },
      { sendInitialEvents, resourceVersionMatch: 'Exact', allowWatchBookmarks: 'true' },
      { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' },
      { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan' },
      { sendInitialEvents: 'perhaps', resourceVersionMatch: 'NotOlderThan' },
      { resourceVersionMatch: 'NotOlderThan' },
      { resourceVersionMatch: 'NotOlderThan', resourceVersion: version },
      { sendInitialEvents, resourceVersionMatch: 'NotOlderThan', continue: 'x' },
    ];
    for (const query of queries) {
      const watch = await api.watch('configmaps', { ...query, timeoutSeconds: '1' });
      await watch.rest();
    }
  }),

  testCase('a streamed list not older than a version', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    const watch = await api.watch('configmaps', {
      sendInitialEvents: 'true',
      resourceVersion: metadata.resourceVersion ?? '',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    await watch.take(3);
  }),

  testCase('a watch without initial events begins with what comes', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', {
      sendInitialEvents: 'false',
      resourceVersion: metadata.resourceVersion ?? '',
      resourceVersionMatch: 'NotOlderThan',
    });
    await api.post('configmaps', configMap('b'));
    await watch.take(1);
  }),

  testCase('a streamed list of nothing ends at once', async (api) => {
    const watch = await api.watch('configmaps', {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      labelSelector: 'none=here',
    });
    await watch.take(1);
  }),

  testCase('one object is watched by its name', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', {
      fieldSelector: 'metadata.name=b',
      resourceVersion: metadata.resourceVersion ?? '',
    });
    await api.put('configmaps/a', configMap('a', { color: 'red' }));
    await api.post('configmaps', configMap('b'));
    await api.delete('configmaps/b');
    await api.post('configmaps', configMap('b'));
    await watch.take(3);
  }),

  testCase('a watch of one object is no watch', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.get('configmaps/a', { watch: 'true' });
  }),

  testCase('a watch tells metadata alone', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', { resourceVersion: metadata.resourceVersion ?? '' }, partial);
    await api.post('configmaps', configMap('b', { color: 'red' }));
    await api.delete('configmaps/b');
    await watch.take(2);
  }),

  testCase('a streamed list of metadata ends in a bookmark', async (api) => {
    await api.post('configmaps', configMap('a'));
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
    const watch = await api.watch('configmaps', query, partial);
    await watch.take(2);
  }),

  testCase('a selector of a watch must make sense', async (api) => {
    await api.watch('configmaps', { labelSelector: 'a==b==c' });
    await api.watch('configmaps', { fieldSelector: 'data.color=red' });
    await api.watch('configmaps', { timeoutSeconds: 'x' });
    await api.watch('configmaps', { watch: '1', timeoutSeconds: '1' });
  }),

  testCase('an object that leaves what a watch selects is told as it was', async (api) => {
    const { metadata } = await api.post('pods', pod('a'));
    const query = { resourceVersion: metadata.resourceVersion ?? '', fieldSelector: 'metadata.name=a' };
    const watch = await api.watch('pods', { ...query, labelSelector: 'app' });
    await api.patch('merge', 'pods/a', { metadata: { labels: { app: 'web' } } });
    await api.patch('merge', 'pods/a', { metadata: { labels: { app: null, tier: 'front' } } });
    await watch.take(2);
  }),

  testCase('a watch misses nothing and repeats nothing', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', { resourceVersion: metadata.resourceVersion ?? '' });
    for (const color of ['red', 'green', 'blue']) await api.put('configmaps/a', configMap('a', { color }));
    await api.patch('merge', 'configmaps/a', { data: { color: 'blue' } });
    await api.delete('configmaps/a');
    await api.post('configmaps', configMap('a'));
    await watch.take(5);
  }),
];
