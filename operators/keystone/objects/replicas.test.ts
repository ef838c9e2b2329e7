// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { apiDeployment } from './api/api-deployment.ts';
import { mostReplicasOf, replicasOf } from './replicas.ts';

const autoscaling = { maxReplicas: 9, targetCPUUtilization: 70 };
const inputs = { image: 'c5c3/keystone:2025.2', configMap: 'c', connectionDigest: 'd' };

/** The Deployment of this spec, on top of a live one, after an autoscaler set so many replicas. */
function deploymentOf(
  spec: Parameters<typeof keystoneFixture>[0],
  live?: ReturnType<typeof apiDeployment>,
  count?: number,
) {
  const keystone = keystoneFixture(spec);
  const deployment = apiDeployment(keystone, { ...inputs, replicas: replicasOf(keystone, live) });
  return { ...deployment, spec: { ...deployment.spec!, ...(count !== undefined && { replicas: count }) } };
}

describe('the number of API pods', () => {
  test('is that of the spec', () => {
    assert.deepEqual(replicasOf(keystoneFixture(), undefined), { count: 3, least: 3 });
  });

  test('is left to an autoscaler, who starts with one; the budget counts the fewest it may leave', () => {
    const keystone = keystoneFixture({ autoscaling });
    assert.deepEqual(replicasOf(keystone, undefined), { count: 1, least: 3, kept: '*/3' });
    assert.equal(replicasOf(keystone, deploymentOf({ autoscaling }, undefined, 7)).count, 7);
    assert.equal(replicasOf(keystoneFixture({ autoscaling: { ...autoscaling, minReplicas: 1 } }), undefined).least, 1);
  });

  test('is raised to the fewest of an autoscaler who would leave a Deployment at 0 alone', () => {
    const live = deploymentOf({ autoscaling }, undefined, 0);
    assert.equal(deploymentOf({ autoscaling }, live).spec.replicas, 3);
    assert.equal(deploymentOf({ autoscaling: { ...autoscaling, minReplicas: 2 } }, live).spec.replicas, 2);
  });

  test('stays when autoscaling is switched on, and when it is switched off, until spec.replicas changes', () => {
    const plain = deploymentOf({});
    assert.equal(deploymentOf({ autoscaling }, plain).spec.replicas, 3);
    const scaled = deploymentOf({ autoscaling }, plain, 7);
    const off = deploymentOf({}, scaled);
    assert.equal(off.spec.replicas, 7);
    const someone = { ...off, spec: { ...off.spec, replicas: 2 } };
    assert.equal(deploymentOf({}, someone).spec.replicas, 7);
    const changed = deploymentOf({ replicas: 4 }, off);
    assert.deepEqual([changed.spec.replicas, changed.metadata.annotations], [4, undefined]);
    assert.equal(deploymentOf({}, changed).spec.replicas, 3);
  });

  test('is that of the spec after all when both change together', () => {
    const scaled = deploymentOf({ autoscaling }, undefined, 7);
    assert.equal(deploymentOf({ replicas: 5 }, scaled).spec.replicas, 5);
  });

  test('is never less than one, whatever somebody writes into the annotation', () => {
    const scaled = deploymentOf({ autoscaling }, undefined, 7);
    for (const kept of ['-2/3', '0/3', 'many/3', '/3']) {
      const live = {
        ...scaled,
        metadata: { ...scaled.metadata, annotations: { 'forge.c5c3.io/replicas-kept': kept } },
      };
      assert.ok(replicasOf(keystoneFixture(), live).count >= 1, kept);
    }
  });

  for (const [what, spec, most] of [
    ['the spec and one of a rolling update', {}, 4],
    ['the most of an autoscaler', { autoscaling }, 10],
    ['a surge in percent', { replicas: 8, strategy: { rollingUpdate: { maxSurge: '30%' } } }, 11],
    ['the surge that Kubernetes adds by itself', { replicas: 8, strategy: { type: 'RollingUpdate' } }, 10],
    ['no surge', { strategy: { type: 'Recreate' } }, 3],
  ] as const) {
    test(`is at most that of ${what}`, () => assert.equal(mostReplicasOf(keystoneFixture(spec), undefined), most));
  }

  test('is at most what stays after autoscaling', () => {
    assert.equal(mostReplicasOf(keystoneFixture(), deploymentOf({}, deploymentOf({ autoscaling }, undefined, 7))), 8);
  });
});
