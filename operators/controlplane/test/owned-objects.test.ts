// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { controllerReference, ownerAnnotation } from '@forge/runtime/objects/owner-reference.ts';
import { home } from './control-plane-fixture.ts';
import { readyControlPlane } from './credential-steps.ts';

const watched = { 'k8s.mariadb.com/watch': '' };

/** All that a managed ControlPlane owns: names, the annotations that it sets, and labels. */
const expected: readonly (readonly [kind: Kind, name: string, annotations?: string[], labels?: object])[] = [
  [MariaDB, 'openstack-db'],
  [Memcached, 'openstack-memcached'],
  [ExternalSecret, 'controlplane-keystone-admin-credentials'],
  [ExternalSecret, 'controlplane-keystone-db-credentials', [], watched],
  [ExternalSecret, 'k-orc-clouds-yaml', ['external-secrets.io/force-sync']],
  [Keystone, 'controlplane-keystone'],
  [Domain, 'controlplane-domain-default', [ownerAnnotation]],
  [User, 'controlplane-user-admin', [ownerAnnotation]],
  [Secret, 'controlplane-admin-app-credential', [ownerAnnotation]],
  [
    ApplicationCredential,
    'controlplane-admin-app-credential',
    ['forge.c5c3.io/admin-password-hash', 'forge.c5c3.io/keystone-uid', ownerAnnotation],
  ],
  [PushSecret, 'controlplane-admin-app-credential-backup', ['c5c3.io/push-content-hash']],
  [Service, 'controlplane-identity-service', ['forge.c5c3.io/admin-user-id', ownerAnnotation]],
  [Endpoint, 'controlplane-identity-endpoint', ['forge.c5c3.io/admin-user-id', ownerAnnotation]],
];

test('every object of a ControlPlane is controlled by it, without labels or annotations but those that act', async () => {
  await using operator = await readyControlPlane();
  const { client } = operator.cluster;
  const owner = await operator.controlPlane();
  // Holds Keystone, and what it runs on, until the credential is revoked.
  const login = await client.get(Secret, { ...home, name: 'controlplane-admin-password-cloud' });
  const hold = { apiVersion: 'v1', kind: 'Secret', name: login.metadata.name, uid: login.metadata.uid };
  for (const [kind, name, annotations = [], labels = {}] of expected) {
    const { metadata } = await client.get(kind, { ...home, name });
    const second = ([Keystone, MariaDB, Memcached] satisfies Kind[] as Kind[]).includes(kind) ? [hold] : [];
    assert.deepEqual(metadata.ownerReferences, [controllerReference(owner), ...second], `${kind.kind} ${name}`);
    assert.deepEqual(Object.keys(metadata.annotations ?? {}).toSorted(), annotations, `${kind.kind} ${name}`);
    assert.deepEqual(metadata.labels ?? {}, labels, `${kind.kind} ${name}`);
    // The finalizers are those of others.
    assert.ok(
      (metadata.finalizers ?? []).every((each) => !each.startsWith('c5c3.io/')),
      `${kind.kind} ${name}`,
    );
  }
  const kinds = [...new Set(expected.map(([kind]) => kind))];
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: home.namespace })));
  const owned = lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true);
  assert.equal(owned.length, expected.length);
  // The login by which K-ORC deletes the others outlives them.
  assert.equal(login.metadata.ownerReferences, undefined);
  assert.deepEqual(login.metadata.annotations, { [ownerAnnotation]: owner.metadata.uid });
});
