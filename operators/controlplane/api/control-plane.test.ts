// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { fieldsOf } from '@forge/kube/schema/fields-of.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { admissionCluster, type AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import { childKinds } from '../test/child-kinds.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { ControlPlane } from './control-plane.ts';
import { CredentialRotation } from './credential-rotation.ts';
import { SecretAggregate } from './secret-aggregate.ts';

const kinds = [ControlPlane, CredentialRotation, SecretAggregate];

/** A ControlPlane with every part of its spec. */
const whole = {
  ...controlPlaneFixture(),
  metadata: home,
  spec: {
    openStackRelease: '2025.2',
    region: 'RegionOne',
    infrastructure: {
      database: {
        clusterRef: { name: 'openstack-db' },
        port: 3307,
        database: 'keystone',
        secretRef: { name: 'keystone-db', key: 'password' },
        replicas: 1,
      },
      cache: { servers: ['cache-0:11211'], backend: 'oslo_cache.memcache_pool', replicas: 2 },
    },
    services: {
      keystone: {
        replicas: 5,
        image: { repository: 'registry.example.com:5000/c5c3/keystone', tag: '2025.2-p1' },
        policyOverrides: { rules: { 'identity:list_users': 'role:admin' }, configMapRef: { name: 'policies' } },
        rotationInterval: '168h',
        gateway: {
          parentRef: { name: 'public', namespace: 'istio-ingress', sectionName: 'https' },
          hostname: 'keystone.example.com',
          path: '/identity',
          annotations: { 'konghq.com/plugins': 'rate-limit-sha' },
        },
        publicEndpoint: 'https://keystone.example.com/identity/v3',
      },
    },
    global: { rules: { admin_required: 'role:admin' } },
    korc: {
      adminCredential: {
        cloudCredentialsRef: { cloudName: 'admin', secretName: 'k-orc-clouds-yaml' },
        passwordSecretRef: { name: 'keystone-admin', key: 'password' },
        applicationCredential: {
          restricted: false,
          accessRules: [{ service: 'compute', method: 'GET' as const, path: '/v2.1/servers' }, { service: 'identity' }],
          rotation: { mode: 'Scheduled' as const },
        },
        bootstrapResources: [{ kind: 'Project' as const, name: 'service' }],
      },
    },
  },
} satisfies ControlPlane;

const versionOf = (kind: (typeof kinds)[number]) => crdOf(kind).spec.versions[0];

describe('the kinds of the operator', () => {
  let cluster: AdmissionCluster;

  before(async () => {
    cluster = await admissionCluster({ kinds: [...kinds, ...childKinds], namespaces: [home.namespace] });
  });

  after(() => cluster[Symbol.asyncDispose]());

  test('explain every field', () => {
    for (const kind of kinds) {
      const unexplained = [...fieldsOf(versionOf(kind)?.schema?.openAPIV3Schema as Schema)]
        .filter(([, { description = '' }]) => !/^[A-Z"].*[.]$/s.test(description))
        .map(([path, { description }]) => `${kind.kind}${path}: ${description}`);
      assert.deepEqual(unexplained, []);
    }
  });

  test('keep a ControlPlane as it was written', async () => {
    const schema = versionOf(ControlPlane)?.schema?.openAPIV3Schema;
    assert.deepEqual(
      Object.keys(whole.spec).toSorted(),
      Object.keys(schema?.properties?.['spec']?.properties ?? {}).toSorted(),
    );
    assert.deepEqual((await cluster.client.create(ControlPlane, whole)).spec, whole.spec);
  });

  test('keep a CredentialRotation and a SecretAggregate as they were written', async () => {
    const { client } = cluster;
    const { apiVersion } = ControlPlane;
    const rotation = {
      target: 'adminApplicationCredential' as const,
      bootstrap: false,
      reMint: true,
      intervalDays: 30,
      preRotationDays: 0,
      gracePeriodDays: 0,
    };
    const metadata = { ...home, name: 'rotate' };
    const stored = await client.create(CredentialRotation, {
      apiVersion,
      kind: 'CredentialRotation',
      metadata,
      spec: rotation,
    });
    assert.deepEqual(stored.spec, rotation);
    const spec = { targetSecretName: 'all' };
    const aggregate = await client.create(SecretAggregate, { apiVersion, kind: 'SecretAggregate', metadata, spec });
    assert.deepEqual(aggregate.spec, spec);
  });

  test('have the specified columns, the status subresource and no other', () => {
    const ready = ['Ready', ".status.conditions[?(@.type=='Ready')].status"];
    const age = ['Age', '.metadata.creationTimestamp'];
    const columns = [
      [ready, ['Release', '.status.installedRelease'], age],
      [['Target', '.spec.target'], ready, age],
      [],
    ];
    for (const [index, kind] of kinds.entries()) {
      const version = versionOf(kind);
      const shown = version?.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath]);
      assert.deepEqual(shown ?? [], columns[index]);
      assert.deepEqual(version?.subresources, { status: {} });
    }
  });

  test('require what the specification requires', () => {
    const required = [...fieldsOf(versionOf(ControlPlane)?.schema?.openAPIV3Schema as Schema)].flatMap(
      ([path, schema]) => ((path.startsWith('.spec') && schema.required) || []).map((name) => `${path}.${name}`),
    );
    assert.deepEqual(required.toSorted(), [
      '.spec.global.configMapRef.name',
      '.spec.infrastructure',
      '.spec.infrastructure.cache',
      '.spec.infrastructure.cache.backend',
      '.spec.infrastructure.database',
      '.spec.infrastructure.database.database',
      '.spec.infrastructure.database.secretRef',
      '.spec.infrastructure.database.secretRef.name',
      '.spec.korc',
      '.spec.korc.adminCredential',
      '.spec.korc.adminCredential.applicationCredential',
      '.spec.korc.adminCredential.applicationCredential.accessRules[].service',
      '.spec.korc.adminCredential.applicationCredential.rotation',
      '.spec.korc.adminCredential.bootstrapResources[].kind',
      '.spec.korc.adminCredential.bootstrapResources[].name',
      '.spec.korc.adminCredential.cloudCredentialsRef',
      '.spec.korc.adminCredential.passwordSecretRef',
      '.spec.korc.adminCredential.passwordSecretRef.name',
      '.spec.openStackRelease',
      '.spec.services',
      '.spec.services.keystone',
      '.spec.services.keystone.gateway.hostname',
      '.spec.services.keystone.gateway.parentRef',
      '.spec.services.keystone.gateway.parentRef.name',
      '.spec.services.keystone.image.repository',
      '.spec.services.keystone.image.tag',
      '.spec.services.keystone.policyOverrides.configMapRef.name',
    ]);
  });
});
