// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { keysForAnnotation } from '../../api/names.ts';
import { keystoneFixture, managedDatabase } from '../../test/keystone-fixture.ts';
import { claimedMetadata, claimOn, keysForOf } from './key-claim.ts';

const brownfield = keystoneFixture();
const managed = keystoneFixture({ database: managedDatabase });
const earlier = { ...brownfield, metadata: { ...brownfield.metadata, uid: 'dead' } };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const secret = (metadata: Partial<Secret['metadata']> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'identity-fernet-keys', ...metadata },
});
const keysFor = (digest: string, mark?: string) => ({
  annotations: { [keysForAnnotation]: digest, ...(mark !== undefined && { [ownerAnnotation]: mark }) },
});

describe('the keys in a Secret', () => {
  test('are of a database: the digest of its address, in both modes', () => {
    assert.equal(keysForOf(brownfield), sha256('db.example:3306/keystone'));
    assert.equal(keysForOf(managed), sha256('mariadb.openstack.svc:3306/keystone'));
  });

  for (const [claim, keystone, metadata, because] of [
    ['own', managed, { ownerReferences: [controllerReference(managed)] }, 'it controls them'],
    ['own', brownfield, keysFor('of another', 'b1f6'), 'they carry its mark'],
    ['own', brownfield, { ownerReferences: [controllerReference(brownfield)] }, 'an earlier version controlled them'],
    ['adoptable', brownfield, keysFor(keysForOf(brownfield), 'dead'), 'the mark of another, of its database'],
    ['adoptable', managed, keysFor(keysForOf(managed)), 'no mark, of its database'],
    ['ofAnotherDatabase', brownfield, keysFor('other', 'dead'), 'the mark of another, of another database'],
    ['ofAnotherDatabase', brownfield, {}, 'nobody says what they are of'],
    ['controlled', managed, { ownerReferences: [controllerReference(earlier)] }, 'they go with an earlier Keystone'],
    [
      'controlled',
      brownfield,
      {
        ...keysFor(keysForOf(brownfield)),
        ownerReferences: [{ ...controllerReference(earlier), kind: 'ExternalSecret' }],
      },
      'somebody else writes them',
    ],
  ] as const) {
    test(`are ${claim}: ${because}`, () => {
      assert.equal(claimOn(secret(metadata as Partial<Secret['metadata']>), keystone), claim);
    });
  }

  test('carry a mark where the database stays, an owner reference where it goes with the Keystone', () => {
    const owned = secret({ ownerReferences: [controllerReference(brownfield)] });
    assert.deepEqual(claimedMetadata(brownfield, owned), {
      ownerReferences: null,
      annotations: { [ownerAnnotation]: 'b1f6', [keysForAnnotation]: keysForOf(brownfield) },
    });
    assert.deepEqual(claimedMetadata(managed, secret()), {
      ownerReferences: [controllerReference(managed)],
      annotations: { [ownerAnnotation]: null, [keysForAnnotation]: keysForOf(managed) },
    });
  });
});
