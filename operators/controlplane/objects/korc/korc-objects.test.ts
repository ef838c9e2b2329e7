// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { passwordHashAnnotation } from '../../api/names.ts';
import { controlPlaneFixture } from '../../test/control-plane-fixture.ts';
import { applicationCredential, fitsValue, hasDrifted, hasPasswordHash } from './application-credential.ts';
import { identityEndpoint, identityService } from './catalog.ts';
import { domainImport, userImport } from './imports.ts';
import { isAvailable, isCurrentlyAvailable, terminalError } from './korc-object.ts';

const apiVersion = 'openstack.k-orc.cloud/v1alpha1';
const controlPlane = controlPlaneFixture();
const byPassword = { secretName: 'controlplane-admin-password-cloud', cloudName: 'admin' };
const byCredential = { secretName: 'k-orc-clouds-yaml', cloudName: 'admin' };
const value = new SecretValue('value');

type Credential = ControlPlane['spec']['korc']['adminCredential']['applicationCredential'];

/** A ControlPlane that asks for such a credential. */
function asking(change: Partial<Credential>): ControlPlane {
  const { adminCredential } = controlPlane.spec.korc;
  const wanted = { ...adminCredential.applicationCredential, ...change };
  return controlPlaneFixture({ korc: { adminCredential: { ...adminCredential, applicationCredential: wanted } } });
}

const minted = (of = controlPlane) => applicationCredential(of, { value, passwordHash: 'abc', keystone: {} });

const annotations = { 'forge.c5c3.io/owner-uid': 'c0f1' };

/** The URL in the catalog. */
const urlOf = (keystone: ControlPlane['spec']['services']['keystone']) =>
  identityEndpoint(controlPlaneFixture({ services: { keystone } })).spec.resource?.url;

describe('objects of K-ORC', () => {
  test('import the default domain and the administrator, by password', () => {
    const unmanaged = { managementPolicy: 'unmanaged', cloudCredentialsRef: byPassword } as const;
    assert.deepEqual(domainImport(controlPlane), {
      apiVersion,
      kind: 'Domain',
      metadata: { name: 'controlplane-domain-default', annotations },
      spec: { ...unmanaged, import: { filter: { name: 'Default' } } },
    });
    assert.deepEqual(userImport(controlPlane), {
      apiVersion,
      kind: 'User',
      metadata: { name: 'controlplane-user-admin', annotations },
      spec: { ...unmanaged, import: { filter: { name: 'admin', domainRef: 'controlplane-domain-default' } } },
    });
  });

  test('mint a restricted credential of that user, named after its secret', () => {
    assert.deepEqual(minted(), {
      apiVersion,
      kind: 'ApplicationCredential',
      metadata: {
        name: 'controlplane-admin-app-credential',
        annotations: { ...annotations, [passwordHashAnnotation]: 'abc' },
      },
      spec: {
        managementPolicy: 'managed',
        cloudCredentialsRef: byPassword,
        resource: {
          name: 'openstack.controlplane.cd42404d52ad',
          unrestricted: false,
          userRef: 'controlplane-user-admin',
          secretRef: 'controlplane-admin-app-credential',
        },
      },
    });
  });

  test('register the identity service and its public endpoint, and leave them in Keystone when they go', () => {
    const managed = {
      managementPolicy: 'managed',
      managedOptions: { onDelete: 'detach' },
      cloudCredentialsRef: byCredential,
    } as const;
    assert.deepEqual(identityService(controlPlane), {
      apiVersion,
      kind: 'Service',
      metadata: { name: 'controlplane-identity-service', annotations },
      spec: { ...managed, resource: { type: 'identity', name: 'keystone', enabled: true } },
    });
    const url = 'http://controlplane-keystone.openstack.svc:5000/v3';
    const serviceRef = 'controlplane-identity-service';
    assert.deepEqual(identityEndpoint(controlPlane), {
      apiVersion,
      kind: 'Endpoint',
      metadata: { name: 'controlplane-identity-endpoint', annotations },
      spec: { ...managed, resource: { interface: 'public', url, serviceRef, enabled: true } },
    });
  });

  test('name the public URL in the endpoint: the declared one before the one of the gateway', () => {
    const gateway = { parentRef: { name: 'gw' }, hostname: 'ks.example.com' };
    assert.equal(urlOf({ gateway }), 'https://ks.example.com/v3');
    assert.equal(urlOf({ gateway, publicEndpoint: 'https://a.example/v3' }), 'https://a.example/v3');
  });
});

describe('the application credential', () => {
  const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers' } as const;

  test('has the access rules with empty members left out, and none for an empty list', () => {
    const { resource } = minted(asking({ accessRules: [rule, { service: 'image' }] })).spec;
    assert.deepEqual(resource?.accessRules, [
      { serviceRef: 'compute', method: 'GET', path: '/v2.1/servers' },
      { serviceRef: 'image' },
    ]);
    assert.equal(minted(asking({ accessRules: [] })).spec.resource?.accessRules, undefined);
  });

  test('is restricted when nobody says anything, and not when somebody says so', () => {
    assert.equal(minted(asking({ restricted: false })).spec.resource?.unrestricted, true);
    const { restricted: _, ...unsaid } = controlPlane.spec.korc.adminCredential.applicationCredential;
    const { adminCredential } = controlPlane.spec.korc;
    const without = { ...adminCredential, applicationCredential: unsaid as Credential };
    assert.equal(
      minted(controlPlaneFixture({ korc: { adminCredential: without } })).spec.resource?.unrestricted,
      false,
    );
  });

  test('fits the secret that it is named after, and no other', () => {
    assert.ok(fitsValue(minted(), controlPlane, value));
    assert.ok(!fitsValue(minted(), controlPlane, new SecretValue('other')));
  });

  for (const [what, change, drifted] of [
    ['nothing', {}, false],
    ['an empty list of rules', { accessRules: [] }, false],
    ['its restriction', { restricted: false }, true],
    ['a rule', { accessRules: [rule] }, true],
  ] as const) {
    test(`has ${drifted ? '' : 'not '}drifted when the spec changes ${what}`, () => {
      assert.equal(hasDrifted(minted(), asking(change as Partial<Credential>)), drifted);
    });
  }

  test('has drifted with the order, length and members of its rules', () => {
    const live = minted(asking({ accessRules: [rule, { service: 'image' }] }));
    const image = { service: 'image' };
    const others = [{ path: '/' }, { method: 'PUT' as const }, { service: 'network' }];
    for (const accessRules of [[image, rule], [rule], ...others.map((member) => [{ ...rule, ...member }, image])]) {
      assert.ok(hasDrifted(live, asking({ accessRules })), JSON.stringify(accessRules));
    }
  });

  test('has drifted when it is of another user or has another Secret', () => {
    const live = minted();
    const { resource = { userRef: '', secretRef: '' } } = live.spec;
    for (const change of [{ userRef: 'other' }, { secretRef: 'other' }]) {
      const spec = { ...live.spec, resource: { ...resource, ...change } };
      assert.ok(hasDrifted({ ...live, spec }, controlPlane), JSON.stringify(change));
    }
  });

  test('has not drifted by a field that K-ORC fills in, or where there is no resource', () => {
    const live = minted();
    const { unrestricted: _, ...resource } = live.spec.resource ?? { userRef: '', secretRef: '' };
    assert.ok(
      !hasDrifted({ ...live, spec: { ...live.spec, resource: { ...resource, description: 'x' } } }, controlPlane),
    );
    const { resource: __, ...bare } = live.spec;
    assert.ok(!hasDrifted({ ...live, spec: bare }, controlPlane));
  });

  test('has the hash of its password; one that is empty or absent is another', () => {
    assert.ok(hasPasswordHash(minted(), 'abc'));
    assert.ok(!hasPasswordHash(minted(), 'def'));
    const { metadata, ...rest } = minted();
    assert.ok(
      !hasPasswordHash({ ...rest, metadata: { ...metadata, annotations: { [passwordHashAnnotation]: '' } } }, 'abc'),
    );
    assert.ok(!hasPasswordHash({ ...rest, metadata: { name: metadata.name } }, 'abc'));
  });
});

describe('the state of an object of K-ORC', () => {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const object = (type: string, status: 'True' | 'False', reason: string, observedGeneration: number) => {
    const condition = { type, status, reason, message: 'why', observedGeneration, lastTransitionTime };
    return {
      ...identityService(controlPlane),
      metadata: { name: 'a', generation: 2 },
      status: { conditions: [condition] },
    };
  };

  test('is available, for the current spec when that was seen', () => {
    assert.ok(isAvailable(object('Available', 'True', 'Success', 1)));
    assert.ok(!isCurrentlyAvailable(object('Available', 'True', 'Success', 1)));
    assert.ok(isCurrentlyAvailable(object('Available', 'True', 'Success', 2)));
    assert.ok(!isAvailable(object('Available', 'False', 'Success', 2)));
    assert.ok(!isAvailable({ ...identityService(controlPlane) }));
  });

  test('is terminal by its reason, for the current spec, whatever the status', () => {
    for (const status of ['True', 'False'] as const) {
      assert.equal(terminalError(object('Progressing', status, 'InvalidConfiguration', 2)), 'why');
      assert.equal(terminalError(object('Progressing', status, 'UnrecoverableError', 2)), 'why');
      assert.equal(terminalError(object('Progressing', status, 'UnrecoverableError', 1)), undefined);
      assert.equal(terminalError(object('Progressing', status, 'TransientError', 2)), undefined);
    }
  });
});
