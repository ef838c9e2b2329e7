// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { backingErrors } from './backing-errors.ts';

const errorsFor = (publicEndpoint: string) =>
  backingErrors(keystoneFixture({ bootstrap: { ...keystoneFixture().spec.bootstrap, publicEndpoint } }), undefined);

test('a public endpoint is a URL to the letter: what a parser would repair is refused', () => {
  for (const url of ['https://id.example/v3', 'HTTP://id.example:5000']) assert.deepEqual(errorsFor(url), [], url);
  for (const url of [
    'https://id.example/v3 ',
    ' https://id.example',
    'https:id.example',
    'https:///v3',
    'ftp://a/',
    'id.example',
  ]) {
    assert.equal(errorsFor(url)[0]?.field, 'spec.bootstrap.publicEndpoint', url);
  }
});
