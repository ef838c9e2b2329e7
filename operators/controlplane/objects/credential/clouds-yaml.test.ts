// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { parse } from 'yaml';
import { controlPlaneFixture } from '../../test/control-plane-fixture.ts';
import { credentialDocument, documentHash, hasSameLogin, passwordDocument } from './clouds-yaml.ts';

const controlPlane = controlPlaneFixture();
const login = { id: 'c1', secret: new SecretValue('s3cret') };

/** A ControlPlane whose entry in clouds.yaml has this name. */
function named(cloudName: string) {
  const { korc } = controlPlaneFixture().spec;
  const cloudCredentialsRef = { ...korc.adminCredential.cloudCredentialsRef, cloudName };
  return controlPlaneFixture({ korc: { adminCredential: { ...korc.adminCredential, cloudCredentialsRef } } });
}

describe('clouds.yaml', () => {
  test('by password is the specified document', () => {
    const expected = `clouds:
  admin:
    auth:
      auth_url: "http://controlplane-keystone.openstack.svc:5000/v3"
      username: "admin"
      password: "hunter2"
      project_name: "admin"
      user_domain_name: "Default"
      project_domain_name: "Default"
    region_name: "RegionOne"
    endpoint_type: internal
    identity_api_version: 3
`;
    assert.equal(passwordDocument(controlPlane, new SecretValue('hunter2')).reveal(), expected);
  });

  test('by application credential is the specified document', () => {
    const expected = `clouds:
  admin:
    auth:
      auth_url: "http://controlplane-keystone.openstack.svc:5000/v3"
      application_credential_id: "c1"
      application_credential_secret: "s3cret"
    auth_type: v3applicationcredential
    region_name: "RegionOne"
    endpoint_type: internal
    identity_api_version: 3
`;
    assert.equal(credentialDocument(controlPlane, login).reveal(), expected);
  });

  test('quotes the name of a cloud that a reader of YAML could take for something else', () => {
    for (const name of ['no', 'Yes', 'y', 'on', 'true', 'null', '1', 'a b']) {
      const [, key] = credentialDocument(named(name), login).reveal().split('\n');
      assert.equal(key, `  "${name}":`);
    }
  });

  test('falls back to the default region and cloud without the webhook', () => {
    const spec = { ...named('').spec, region: '' };
    const document = parse(credentialDocument({ ...controlPlane, spec }, login).reveal()) as {
      clouds: Record<string, { region_name: string }>;
    };
    assert.equal(document.clouds['admin']?.region_name, 'RegionOne');
  });

  for (const password of [
    '"\\',
    'a\nb',
    '# no comment',
    '- x',
    '\u0000\u0007',
    '\u0085\u2028\ufeff',
    'pä$${x}',
    '😀',
  ]) {
    test(`survives being read: ${JSON.stringify(password)}`, () => {
      const document = passwordDocument(controlPlane, new SecretValue(password)).reveal();
      const { clouds } = parse(document) as { clouds: { admin: { auth: { password: string } } } };
      assert.equal(clouds.admin.auth.password, password);
    });
  }

  for (const name of ['yes', 'a: b', '12', 'null', 'my-cloud']) {
    test(`has an entry of the name ${name}`, () => {
      const { clouds } = parse(credentialDocument(named(name), login).reveal()) as { clouds: object };
      assert.deepEqual(Object.keys(clouds), [name]);
    });
  }

  test('has a hash of its bytes', () => {
    const expected = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';
    assert.equal(documentHash(new SecretValue('secret')), expected);
  });
});

describe('two documents', () => {
  const document = credentialDocument(controlPlane, login);
  const same = (text: string) => hasSameLogin(document, new SecretValue(text));

  test('are the same login however they are written', () => {
    const content: unknown = parse(document.reveal());
    assert.ok(same(document.reveal().trimEnd()));
    assert.ok(same(JSON.stringify(content)));
    assert.ok(same(document.reveal().replaceAll('"', "'")));
  });

  for (const [what, text] of [
    ['another id', document.reveal().replace('c1', 'c2')],
    ['another secret', document.reveal().replace('s3cret', 'other')],
    ['another address', document.reveal().replace('.svc:5000', '.svc:5001')],
    ['another cloud', document.reveal().replace('  admin:', '  other:')],
    ['a login by password', passwordDocument(controlPlane, new SecretValue('x')).reveal()],
    ['an empty text', ''],
    ['no YAML', '{ "clouds'],
    ['something else', 'clouds: [a]'],
  ] as const) {
    test(`differ by ${what}`, () => assert.equal(same(text), false));
  }

  test('of passwords are never the same', () => {
    const byPassword = passwordDocument(controlPlane, new SecretValue('x'));
    assert.equal(hasSameLogin(byPassword, byPassword), false);
  });
});
