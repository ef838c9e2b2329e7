// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues } from '../../objects/define-values.ts';
import { deployment } from '../../objects/objects.ts';

const web = 'apps/v1/deployments/web';
const scale = `${web}/scale`;

function scaleOf({ namespace }: Conversation, spec: object, metadata: object = {}) {
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web', namespace, ...metadata }, spec };
}

/** Scale subresources: field managers and validation. */
export const scales: readonly ConformanceCase[] = [
  testCase('replicas are applied through a scale', async (api) => {
    await api.apply(web, 'alice', deployment('web'));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }));
    await api.get(web);
    await api.apply(web, 'alice', deployment('web', { replicas: 2 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 4 }));
    await api.get(web);
  }),

  testCase('a scale is not applied against other managers, unless forced', async (api) => {
    await api.apply(web, 'alice', deployment('web', { replicas: 1 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 1 }));
    await api.get(web);
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }), { force: 'true' });
    await api.get(web);
  }),

  testCase('a scale that nobody manages is not tracked', async (api) => {
    await api.apply(web, 'alice', deployment('web'));
    await api.patch('merge', scale, { spec: { replicas: 2 } });
    await api.get(web);
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 2 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }));
    await api.patch('merge', scale, { spec: { replicas: 4 } });
    await api.get(web);
    await api.apply(scale, 'bob', scaleOf(api, {}));
    await api.get(web);
  }),

  testCase('a scale written as it is splits its managers', async (api) => {
    await api.post('apps/v1/deployments', deployment('web'));
    await api.patch('merge', scale, { spec: { replicas: 1 } });
    await api.get(web);
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 1 }));
    await api.get(web);
    await api.apply(scale, 'bob', scaleOf(api, {}));
    await api.get(web);
  }),

  testCase('what is no scale cannot be applied as one', async (api) => {
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }));
    await api.post('apps/v1/deployments', deployment('web'));
    await api.apply(scale, '', scaleOf(api, { replicas: 3 }));
    await api.apply(scale, 'bob', deployment('web'));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 3 }, { name: 'other' }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 'three' }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: -1 }));
    await api.apply(scale, 'bob', scaleOf(api, { replicas: 1, size: 3 }));
  }),

  testCase('replicas of a custom resource cannot be applied through its scale', async (api) => {
    const properties = { members: { type: 'integer' } };
    const paths = { specReplicasPath: '.spec.members', statusReplicasPath: '.status.members' };
    const { path, value } = await defineValues(
      api,
      { spec: { type: 'object', properties }, status: { type: 'object', properties } },
      { subresources: { status: {}, scale: paths } },
    );
    await api.post(path, value('web', { members: 1 }));
    await api.apply(`${path}/web/scale`, 'bob', scaleOf(api, { replicas: 3 }));
    await api.apply(`${path}/web/scale`, 'bob', scaleOf(api, { replicas: 3 }), { force: 'true' });
    await api.apply(`${path}/web/scale`, 'bob', scaleOf(api, { replicas: 1 }));
    await api.get(`${path}/web`);
  }),

  testCase('replicas of a scale are a whole number', async (api) => {
    await api.post('apps/v1/deployments', deployment('web'));
    await api.put(scale, scaleOf(api, { replicas: 1.5 }));
    await api.put(scale, scaleOf(api, { replicas: 'three' }));
    await api.put(scale, scaleOf(api, { replicas: -1 }));
    await api.put(scale, scaleOf(api, { replicas: 3e9 }));
    await api.patch('merge', scale, { spec: { replicas: 2 } }, { force: 'true' });
  }),
];
