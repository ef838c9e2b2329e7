// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { certificateAuthority } from './certificate-authority.ts';
import { issueServerCertificate } from './issue-certificate.ts';
import { seededKeys } from './seeded-keys.ts';

/** An authority and a certificate that it issued, with keys from this seed. */
function chainOf(seed: string) {
  let drawn = 0;
  const digest = () =>
    createHash('sha256')
      .update(`${seed} ${(drawn += 1)}`)
      .digest();
  const making = { now: Date.UTC(2026, 0, 1), validDays: 1, keys: seededKeys((count) => digest().subarray(0, count)) };
  const authority = certificateAuthority({ ...making, name: 'forge' });
  return { authority, server: issueServerCertificate(authority, { ...making, names: ['a'], addresses: [] }) };
}

describe('seeded keys', () => {
  test('make valid certificates', () => {
    // Many seeds: numbers with leading zeros are rare.
    for (let seed = 0; seed < 300; seed += 1) {
      const { authority, server } = chainOf(`${seed}`);
      const [root, leaf] = [new X509Certificate(authority.cert), new X509Certificate(server.cert)];
      assert.ok(root.verify(root.publicKey) && leaf.verify(root.publicKey) && leaf.checkIssued(root));
      assert.ok(leaf.checkPrivateKey(createPrivateKey(server.key)));
      assert.notEqual(leaf.serialNumber, root.serialNumber);
    }
  });

  test('make the same certificates from the same bytes, and different ones from others', () => {
    assert.deepEqual(chainOf('one'), chainOf('one'));
    assert.notEqual(chainOf('one').server.key, chainOf('two').server.key);
    assert.notEqual(chainOf('one').server.key, chainOf('one').authority.key);
  });
});
