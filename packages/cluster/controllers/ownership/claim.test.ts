// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@forge/kube/objects/object.ts';
import { at, pod } from '../test/pods.ts';
import { sortClaims } from './claim.ts';

const owner: KubeObject = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', uid: 'own' } };
const labels = { app: 'web' };

function referred(uid: string): { ownerReferences: OwnerReference[] } {
  return { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }] };
}

describe('claiming pods', () => {
  const cases: [string, Parameters<typeof pod>[1], string][] = [
    ['an owned pod stays', { labels, ...referred('own') }, 'owned'],
    ['an owned pod that lost its label is released', referred('own'), 'release'],
    ['an owned, terminating pod that lost its label stays', { ...referred('own'), deletionTimestamp: at(9) }, 'owned'],
    ['an orphan with the label is adopted', { labels }, 'adopt'],
    ['a terminating orphan is ignored', { labels, deletionTimestamp: at(9) }, ''],
    ['an orphan without the label is ignored', {}, ''],
    ['a pod of another owner is ignored', { labels, ...referred('other') }, ''],
  ];
  for (const [title, metadata, expected] of cases) {
    test(title, () => {
      const claims = sortClaims(owner, { matchLabels: labels }, [pod('a', metadata)]);
      const found = Object.entries(claims).filter(([, objects]) => objects.length > 0);
      assert.deepEqual(found.map(([claim]) => claim).join(), expected);
    });
  }

  test('what is no member is released or ignored, whatever its labels', () => {
    const pods = [pod('owned', { labels, ...referred('own') }), pod('orphan', { labels }), pod('member', { labels })];
    const claims = sortClaims(owner, { matchLabels: labels }, pods, ({ metadata }) => metadata.name === 'member');
    assert.deepEqual(claims, { owned: [], adopt: [pods[2]], release: [pods[0]] });
  });
});
