// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { brownfield, controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { ignoredFields } from './ignored-fields.ts';

const changed = (spec: object) => mergePatch(controlPlaneFixture(), { spec }) as ControlPlane;
const ownSecrets = {
  infrastructure: { database: { secretRef: { name: 'my-db' } } },
  korc: { adminCredential: { passwordSecretRef: { name: 'my-admin', key: 'secret' } } },
};

describe('warnings about fields without effect', () => {
  test('name the Secrets that are not read with a managed database, and where the values come from', () => {
    assert.deepEqual(ignoredFields(changed(ownSecrets)), [
      'spec.infrastructure.database.secretRef: Secret my-db is not read: with database.clusterRef the value comes from OpenBao, ' +
        'at openstack/keystone/openstack/controlplane/db, through Secret controlplane-keystone-db-credentials; change it there, ' +
        'and remove this field',
      'spec.korc.adminCredential.passwordSecretRef: key secret of Secret my-admin is not read: with database.clusterRef the value ' +
        'comes from OpenBao, at bootstrap/openstack/controlplane-keystone/admin, through Secret ' +
        'controlplane-keystone-admin-credentials; change it there, and remove this field',
    ]);
  });

  test('name what is reserved for later', () => {
    const applicationCredential = { rotation: { mode: 'Manual' } };
    const bootstrapResources = [{ kind: 'Role', name: 'reader' }];
    const reserved = { korc: { adminCredential: { applicationCredential, bootstrapResources } } };
    assert.deepEqual(
      ignoredFields(changed(reserved)).map((warning) => warning.split(':', 1)[0]),
      ['spec.korc.adminCredential.applicationCredential.rotation.mode', 'spec.korc.adminCredential.bootstrapResources'],
    );
  });

  test('are none about defaults, nor about Secrets of a database of the user’s own', () => {
    assert.deepEqual(ignoredFields(controlPlaneFixture()), []);
    const own = controlPlaneFixture({ infrastructure: brownfield });
    const spec = { ...ownSecrets, infrastructure: { database: { secretRef: { name: 'my-db' } } } };
    assert.deepEqual(ignoredFields(mergePatch(own, { spec }) as ControlPlane), []);
  });
});
