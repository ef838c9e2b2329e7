// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { immutableConfigMap } from './config-map.ts';

const made = (data: Record<string, string>) => immutableConfigMap(keystoneFixture(), 'identity-config', data);

describe('an immutable ConfigMap', () => {
  test('is named after its content', () => {
    const { metadata, immutable } = made({ a: '1', b: '2' });
    assert.match(metadata.name, /^identity-config-[0-9a-f]{8}$/);
    assert.equal(metadata.labels?.['forge.c5c3.io/config-base'], 'identity-config');
    assert.equal(immutable, true);
  });

  test('has the same name for the same content in any order, another for other content', () => {
    assert.equal(made({ a: '1', b: '2' }).metadata.name, made({ b: '2', a: '1' }).metadata.name);
    assert.notEqual(made({ a: '1' }).metadata.name, made({ a: '2' }).metadata.name);
    assert.notEqual(made({ 'a=1': '' }).metadata.name, made({ a: '1=' }).metadata.name);
  });
});
