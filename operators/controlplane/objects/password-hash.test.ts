// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordHash } from './password-hash.ts';

test('the digest of a password is its SHA-256 in lower-case hex', () => {
  assert.equal(passwordHash(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(passwordHash('hunter2'), 'f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7');
});
