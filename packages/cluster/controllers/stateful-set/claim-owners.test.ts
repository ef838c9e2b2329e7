// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { OwnerReference } from '@forge/kube/objects/object.ts';
import { outdatedOwners } from './claim-owners.ts';

const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db-1', uid: 'pod' } };
const byPod: OwnerReference = { apiVersion: 'v1', kind: 'Pod', name: 'db-1', uid: 'pod', controller: true };
const bySet: OwnerReference = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'set', controller: true };
const user: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'user', uid: 'user' };
const other: OwnerReference = { ...user, name: 'other', uid: 'other', controller: true };

function db(whenScaled: string, whenDeleted: string): StatefulSet {
  const persistentVolumeClaimRetentionPolicy = { whenScaled, whenDeleted };
  const spec = { selector: {}, serviceName: '', template: {}, persistentVolumeClaimRetentionPolicy };
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', uid: 'set' }, spec };
}

function claimOf(...ownerReferences: OwnerReference[]): PersistentVolumeClaim {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-db-1', ownerReferences } };
}

const kept = 'kept';

describe('the owners of a claim', () => {
  /** whenScaled, whenDeleted, whether the pod is scaled down, the owners before and after. */
  const cases: [string, string, string, boolean, OwnerReference[], string][] = [
    ['are none when it is retained', 'Retain', 'Retain', false, [], kept],
    ['are removed when it is to be retained', 'Retain', 'Retain', true, [user, bySet, byPod], 'user'],
    ['are the set when it is deleted with that', 'Retain', 'Delete', true, [], 'set'],
    ['are none while its pod stays', 'Delete', 'Retain', false, [byPod], ''],
    ['are the pod that is scaled down', 'Delete', 'Retain', true, [user], 'user pod'],
    ['change from set to pod when it is scaled down', 'Delete', 'Delete', true, [bySet], 'pod'],
    ['change from pod to set when it stays', 'Delete', 'Delete', false, [byPod], 'set'],
    ['include their controller', 'Retain', 'Delete', false, [{ ...bySet, controller: false }], 'set'],
    ['stay when they are as wanted', 'Retain', 'Delete', false, [user, bySet], kept],
    ['stay when it belongs to an earlier set', 'Retain', 'Retain', false, [{ ...bySet, uid: 'earlier' }], kept],
    ['stay when it belongs to an earlier pod', 'Delete', 'Delete', true, [{ ...byPod, uid: 'earlier' }], kept],
    ['stay when another controls it', 'Retain', 'Delete', false, [other], kept],
    [
      'are without the set when another controls it',
      'Retain',
      'Delete',
      false,
      [other, { ...bySet, controller: false }],
      'other',
    ],
  ];
  for (const [title, whenScaled, whenDeleted, isCondemned, before, after] of cases) {
    test(title, () => {
      const owners = outdatedOwners(claimOf(...before), { set: db(whenScaled, whenDeleted), pod, isCondemned });
      assert.equal(owners?.map(({ uid }) => uid).join(' ') ?? kept, after);
      for (const { uid, controller } of owners ?? []) assert.equal(controller, uid === 'user' ? undefined : true);
    });
  }
});
