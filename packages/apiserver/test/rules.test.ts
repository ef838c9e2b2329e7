// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Schema, ValidationRule } from '@forge/kube/schema/schema.ts';
import { Backup } from './objects.ts';
import { testServer, type TestServer } from './test-server.ts';

const path = '/apis/example.com/v1/namespaces/default/backups';

/** The kind with rules about its spec. */
function ruled(...rules: ValidationRule[]): typeof Backup {
  const { properties = {} } = Backup.schema;
  const spec: Schema = { ...properties['spec'], 'x-kubernetes-validations': rules };
  return { ...Backup, schema: { ...Backup.schema, properties: { ...properties, spec } } };
}

async function withRules(...rules: ValidationRule[]): Promise<TestServer> {
  const running = await testServer();
  await running.api.create(CustomResourceDefinition, crdOf(ruled(...rules)));
  return running;
}

function backup(spec: Backup['spec']): Backup {
  return { apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name: 'nightly', namespace: 'default' }, spec };
}

describe('the rules of a definition', () => {
  test('reject an object with the message of the violated rule', async () => {
    const message = 'weekly backups need five copies';
    const { api, refused } = await withRules({ rule: "self.schedule != 'weekly' || self.copies >= 5", message });
    const { code, message: text, details } = await refused('POST', path, backup({ schedule: 'weekly' }));
    assert.equal(code, 422);
    assert.equal(text, `Backup.example.com "nightly" is invalid: spec: Invalid value: ${message}`);
    assert.deepEqual(details?.causes, [
      { reason: 'FieldValueInvalid', message: `Invalid value: ${message}`, field: 'spec' },
    ]);
    await api.create(Backup, backup({ schedule: 'weekly', copies: 5 }));
  });

  test('see defaults, and can compare with the old object', async () => {
    const { api, refused } = await withRules({
      rule: 'self.copies >= oldSelf.copies',
      messageExpression: "'copies may not go below %d'.format([oldSelf.copies])",
      fieldPath: '.copies',
      reason: 'FieldValueForbidden',
    });
    const { metadata } = await api.create(Backup, backup({ schedule: 'daily' }));
    const fewer = { ...backup({ schedule: 'daily', copies: 2 }), metadata };
    const { message } = await refused('PUT', `${path}/nightly`, fewer);
    assert.match(message ?? '', /: spec\.copies: Forbidden: copies may not go below 3$/);
    await api.update(Backup, { ...fewer, spec: { schedule: 'daily', copies: 4 } });
  });

  test('are skipped for an object that its schema rejects', async () => {
    const { refused } = await withRules({ rule: "self.schedule.startsWith('d')" });
    const { message } = await refused('POST', path, { ...backup({ schedule: 'x' }), spec: {} });
    assert.match(message ?? '', /spec\.schedule: Required value/);
    assert.match(message ?? '', /<nil>: Invalid value: null: some validation rules were not checked/);
  });

  test('make a definition invalid when they do not compile or may cost too much', async () => {
    const { refused } = await testServer();
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const typeError = await refused('POST', definitions, crdOf(ruled({ rule: 'self.copies == self.nothing' })));
    assert.match(typeError.message ?? '', /compilation failed: ERROR: <input>:1:20: undefined field 'nothing'/);
    const expensive = { rule: "self.schedule.matches('^' + self.schedule + '$')" };
    const { message } = await refused('POST', definitions, crdOf(ruled(expensive)));
    assert.match(message ?? '', /validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of/);
  });
});
