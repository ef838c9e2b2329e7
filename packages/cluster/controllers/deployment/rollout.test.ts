// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { isResized, resize, rollOut, type DeploymentSets, type Resize } from './rollout.ts';
import { sizeAnnotations } from './template-set.ts';

const bounds = { replicas: 4, maxSurge: 1, maxUnavailable: 1 };

function set(name: string, replicas: number, available = replicas, scaledFor = bounds): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, annotations: sizeAnnotations(scaledFor) },
    spec: { replicas, selector: {} },
    status: { replicas, availableReplicas: available },
  };
}

function sets(old: ReplicaSet[], current?: ReplicaSet): DeploymentSets {
  return { all: current === undefined ? old : [...old, current], old, current };
}

function sizes(resizes: Resize[]): string {
  return resizes.map(({ set: { metadata }, replicas }) => `${metadata.name}=${replicas}`).join(' ');
}

describe('the sizes of the ReplicaSets', () => {
  test('grow on the new side first, then shrink on the old side', () => {
    assert.equal(sizes(rollOut('RollingUpdate', bounds, sets([set('old', 4)], set('new', 0)))), 'new=1');
    assert.equal(sizes(rollOut('RollingUpdate', bounds, sets([set('old', 4)], set('new', 1, 0)))), 'new=1 old=3');
  });

  test('with Recreate, go to zero on the old side first', () => {
    assert.equal(sizes(rollOut('Recreate', bounds, sets([set('old', 4)], set('new', 0)))), 'old=0');
    assert.equal(sizes(rollOut('Recreate', bounds, sets([set('old', 0)], set('new', 0)))), 'new=4');
    assert.equal(sizes(rollOut('Recreate', bounds, sets([set('old', 0)]))), '');
  });

  const larger = { ...bounds, replicas: 8 };
  test('change independently of the rollout when the Deployment is scaled', () => {
    assert.ok(isResized(larger, sets([], set('new', 4))));
    assert.ok(!isResized(bounds, sets([], set('new', 4))));
    assert.ok(!isResized(larger, sets([set('old', 0)])), 'an empty ReplicaSet is ignored');
  });

  test('follow the Deployment: one ReplicaSet gets all replicas, two share them, and a complete new one leaves none to the old', () => {
    assert.equal(sizes(resize(larger, sets([set('old', 0)], set('new', 4)))), 'new=8');
    assert.equal(sizes(resize(larger, sets([set('old', 3)], set('new', 2)))), 'old=5 new=4');
    assert.equal(sizes(resize(bounds, sets([set('old', 1)], set('new', 4)))), 'old=0');
  });
});
