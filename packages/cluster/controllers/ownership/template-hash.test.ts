// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { templateHash } from './template-hash.ts';

describe('the hash of a pod template', () => {
  const template = {
    metadata: { labels: { app: 'a', tier: 'b' } },
    spec: { containers: [{ name: 'main', image: 'x' }] },
  };

  test('does not depend on the order of fields', () => {
    const turned = {
      spec: { containers: [{ image: 'x', name: 'main' }] },
      metadata: { labels: { tier: 'b', app: 'a' } },
    };
    assert.equal(templateHash(turned), templateHash(template));
  });

  test('depends on the template and on the collision count', () => {
    const other = { ...template, spec: { containers: [{ name: 'main', image: 'y' }] } };
    assert.equal(new Set([template, other].map((item) => templateHash(item))).size, 2);
    assert.notEqual(templateHash(template, 1), templateHash(template));
  });

  test('is valid in a label and in a name', () => assert.match(templateHash(template), /^[a-z2-9]{1,7}$/));
});
