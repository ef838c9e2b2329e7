// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, deployment } from '../../objects/objects.ts';

/** All patch types except apply. */
export const patches: readonly ConformanceCase[] = [
  testCase('a merge patch sets, adds and removes', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red', size: 'small' }));
    await api.patch('merge', 'configmaps/a', { data: { color: 'blue', size: null, shape: 'round' } });
  }),

  testCase('a JSON patch is done in order and as a whole', async (api) => {
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.patch('json', 'configmaps/a', [
      { op: 'test', path: '/data/color', value: 'red' },
      { op: 'move', from: '/data/color', path: '/data/colour' },
      { op: 'add', path: '/data/size', value: 'small' },
    ]);
    await api.patch('json', 'configmaps/a', [
      { op: 'remove', path: '/data/size' },
      { op: 'test', path: '/data/colour', value: 'green' },
    ]);
    await api.patch('json', 'configmaps/a', [{ op: 'remove', path: '/data/none' }]);
    await api.get('configmaps/a');
  }),

  testCase('a strategic patch merges lists by their keys', async (api) => {
    await api.post('apps/v1/deployments', deployment('web'));
    const containers = [
      { name: 'main', env: [{ name: 'A', value: '1' }] },
      { name: 'side', image: 'side:1' },
    ];
    await api.patch('strategic', 'apps/v1/deployments/web', { spec: { template: { spec: { containers } } } });
    await api.patch('strategic', 'apps/v1/deployments/web', {
      spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } },
    });
  }),

  testCase('a patch on an old version is a conflict', async (api) => {
    const { metadata } = await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('a', { color: 'red' }));
    await api.patch('merge', 'configmaps/a', { metadata: { resourceVersion: metadata.resourceVersion } });
  }),

  testCase('a patch of an unknown type is refused', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.patch('merge', 'configmaps/a', {}, {}, { 'content-type': 'application/json' });
  }),
];
