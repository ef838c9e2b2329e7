// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { controllerReference, isOfEarlierOwner } from './owner-reference.ts';

const owner = (name: string, uid: string, kind = 'Keystone'): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name, uid },
});
const ownedBy = (each: KubeObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', ownerReferences: [controllerReference(each)] },
});

test('an earlier owner has the kind and name of its successor; where a namespace has one at a time, any name', () => {
  const current = owner('identity', '2');
  const cases = [
    [owner('identity', '1'), true, true],
    [owner('other', '1'), false, true],
    [current, false, false],
    [owner('identity', '1', 'ControlPlane'), false, false],
  ] as const;
  for (const [each, isEarlier, isEarlierUnderAnyName] of cases) {
    assert.equal(isOfEarlierOwner(ownedBy(each), current), isEarlier);
    assert.equal(isOfEarlierOwner(ownedBy(each), current, { underAnyName: true }), isEarlierUnderAnyName);
  }
});
