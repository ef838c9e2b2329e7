// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { childPredicate } from './child-changes.ts';
import { childState } from './child-state.ts';

const controlPlane = controlPlaneFixture();
const child = (metadata: Partial<ObjectMeta> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...home, ...metadata },
});
const ownerReferences = [controllerReference(controlPlane)];
const deletionTimestamp = '2026-01-01T00:00:00Z';

const isReady = ({ metadata }: { metadata: ObjectMeta }) => metadata.labels?.['ready'] === 'yes';
const passes = (before: Partial<ObjectMeta> | undefined, after: Partial<ObjectMeta> | undefined) =>
  childPredicate(isReady)({ before: before && child(before), after: after && child(after) });

describe('an object under the name of a child', () => {
  test("is the ControlPlane's own, somebody else's, or absent", () => {
    assert.equal(childState(undefined, controlPlane), undefined);
    assert.equal(childState(child({ ownerReferences }), controlPlane), 'own');
    assert.equal(childState(child(), controlPlane), 'unowned');
    const stranger = { ...controlPlane, kind: 'Other', metadata: { ...home, uid: 'other' } };
    assert.equal(childState(child({ ownerReferences: [controllerReference(stranger)] }), controlPlane), 'unowned');
  });

  test('is about to go when it is terminating, or belongs to an earlier ControlPlane', () => {
    assert.equal(childState(child({ ownerReferences, deletionTimestamp }), controlPlane), 'terminating');
    assert.equal(childState(child({ deletionTimestamp }), controlPlane), 'terminating');
    for (const { name } of [home, { name: 'former' }]) {
      const earlier = { ...controlPlane, metadata: { ...home, name, uid: 'earlier' } };
      assert.equal(childState(child({ ownerReferences: [controllerReference(earlier)] }), controlPlane), 'terminating');
    }
  });

  test('wakes its ControlPlane by its readiness, spec, owner, deletion, and by nothing else', () => {
    assert.equal(passes(undefined, {}), true);
    assert.equal(passes({}, undefined), true);
    assert.equal(passes({ generation: 1 }, { generation: 2 }), true);
    assert.equal(passes({}, { deletionTimestamp }), true);
    assert.equal(passes({}, { ownerReferences }), true);
    assert.equal(passes({}, { labels: { ready: 'yes' } }), true);
    assert.equal(passes({ resourceVersion: '1' }, { resourceVersion: '2', labels: { other: 'yes' } }), false);
  });
});
