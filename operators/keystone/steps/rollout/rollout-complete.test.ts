// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import type { DatabaseContext } from '../database/database-context.ts';
import { isRolloutComplete } from './rollout-complete.ts';

const [old, wanted] = ['c5c3/keystone:2025.1', 'c5c3/keystone:2025.2'];

const running = (image: string) => ({ containers: [{ name: 'keystone', image }] });

const pod = (image: string, phase = 'Running'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'identity' },
  spec: running(image),
  status: { phase },
});

function deployment(image: string, counts: object = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'identity', generation: 2 },
    spec: { replicas: 3, selector: {}, template: { spec: running(image) } },
    status: {
      observedGeneration: 2,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      conditions: [{ type: 'Available', status: 'True' }],
      ...counts,
    },
  };
}

for (const [what, expected, found, pods] of [
  ['no Deployment', false, undefined, []],
  ['only pods of the new image', true, deployment(wanted), [pod(wanted)]],
  ['a Deployment that the controller has not observed', false, deployment(wanted, { observedGeneration: 1 }), []],
  ['a Deployment with old replicas, whose pods are not listed', false, deployment(wanted, { replicas: 4 }), []],
  ['a Deployment of the old image', false, deployment(old), []],
  ['an old pod that drains', false, deployment(wanted), [pod(wanted), pod(old)]],
  ['an old pod that failed', true, deployment(wanted), [pod(wanted), pod(old, 'Failed')]],
  ['an old pod that succeeded', true, deployment(wanted), [pod(wanted), pod(old, 'Succeeded')]],
] as const) {
  test(`a rollout with ${what} is ${expected ? '' : 'not '}complete`, async () => {
    const context = { object: keystoneFixture(), get: () => found, fetchAll: () => Promise.resolve(pods) };
    assert.equal(await isRolloutComplete(wanted, context as unknown as DatabaseContext), expected);
  });
}
