// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { hasSyncedSchema } from './synced-schema.ts';

const known = (status: object) => hasSyncedSchema({ ...keystoneFixture(), status });

test('a schema is known by its database, and from earlier versions by its release or by the bootstrap in it', () => {
  assert.equal(known({}), false);
  assert.equal(known({ syncedDatabase: 'db.example:3306/keystone' }), true);
  assert.equal(known({ installedRelease: '2025.2' }), true);
  // Of an image whose tag names no release.
  assert.equal(known({ completedBootstrap: 'a0b1' }), true);
});
