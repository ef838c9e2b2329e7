// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { SecretValue } from './secret-value.ts';

describe('a secret value', () => {
  const secret = SecretValue.fromBase64(Buffer.from('hunter2').toString('base64'));
  const key = new SecretValue('k'.repeat(64));

  test('is never shown by printing, joining, encoding or inspecting', () => {
    const shown = [String(secret), [secret].join(), JSON.stringify({ secret }), inspect({ secret }), inspect(secret)];
    for (const text of shown) {
      assert.doesNotMatch(text, /hunter2/);
      assert.match(text, /\[redacted\]/);
    }
  });

  test('keeps bytes that are no text as they are', () => {
    const bytes = Uint8Array.from([0, 255, 128, 10]);
    const binary = SecretValue.fromBase64(new SecretValue(bytes).base64());
    assert.deepEqual(binary.bytes(), bytes);
    assert.equal(binary.digest(key), new SecretValue(bytes).digest(key));
    assert.notEqual(binary.digest(key), new SecretValue(Uint8Array.from([0, 254, 128, 10])).digest(key));
    assert.notEqual(secret.digest(binary), secret.digest(new SecretValue(Uint8Array.from([0, 254, 128, 10]))));
  });

  test('is revealed only explicitly', () => {
    assert.equal(secret.reveal(), 'hunter2');
    assert.equal(secret.base64(), 'aHVudGVyMg==');
  });

  test('has a keyed digest to detect changes', () => {
    assert.equal(secret.digest(key), new SecretValue('hunter2').digest(key));
    assert.notEqual(secret.digest(key), new SecretValue('hunter3').digest(key));
    assert.notEqual(secret.digest(key), secret.digest(new SecretValue('l'.repeat(64))));
  });
});
