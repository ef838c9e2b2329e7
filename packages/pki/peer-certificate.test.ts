// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { certificateAuthority } from './certificate-authority.ts';
import { certificate, distinguishedName, extension, type KeyPair } from './certificate.ts';
import { sequence, yes } from './der.ts';
import { issuePeerCertificate } from './issue-certificate.ts';
import { systemKeys } from './keys.ts';
import { pem } from './pem.ts';
import { certificatesIn, extensionIn, isKeyOf, isSignedBy, isTrustedBy, readCertificate } from './read-certificate.ts';
import { seededKeys } from './seeded-keys.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;
const organizations = ['OpenBao Operator'];
const making = { now, backdatedBy: hour, keyEncoding: 'sec1', organizations } as const;
const hosts = { names: ['*.bao.vault.svc', 'bao.vault.svc'], addresses: ['127.0.0.1', 'fe80:0:0::1'] };

/** An authority and a certificate of it. */
function chain(more: { validDays?: number; authorityDays?: number } = {}) {
  const { validDays = 365, authorityDays = 3650 } = more;
  let drawn = 0;
  const keys = seededKeys((count) => new Uint8Array(count).map((_, index) => (drawn += 1) * (index + 3)));
  const authority = certificateAuthority({ ...making, keys, name: 'bao OpenBao Root CA', validDays: authorityDays });
  const peer = issuePeerCertificate(authority, { ...making, ...hosts, keys, commonName: 'bao.openbao.svc', validDays });
  return { authority, peer };
}

/** An authority that another one signed. */
function intermediateOf(authority: KeyPair): KeyPair {
  const { notAfter } = readCertificate(authority.cert);
  const issuer = {
    name: distinguishedName('bao OpenBao Root CA', organizations),
    keyIdentifier: undefined,
    privateKey: createPrivateKey(authority.key),
    notAfter,
  };
  const extensions = [extension('2.5.29.19', sequence(yes), 'critical')];
  return certificate({ making: { now, validDays: 10 }, subject: distinguishedName('between'), extensions }, issuer);
}

const usageOf = (cert: string) => {
  const usage = extensionIn(new X509Certificate(cert).raw, '2.5.29.15') ?? [];
  return Buffer.from(usage).toString('hex');
};

describe('a peer certificate and its authority', () => {
  test('have the subject, the purposes and the usages of a server that is also a client', () => {
    const { authority, peer } = chain();
    const [root, leaf] = [new X509Certificate(authority.cert), new X509Certificate(peer.cert)];
    assert.equal(root.subject, 'O=OpenBao Operator\nCN=bao OpenBao Root CA');
    assert.equal(leaf.subject, 'O=OpenBao Operator\nCN=bao.openbao.svc');
    assert.deepEqual([root.ca, leaf.ca], [true, false]);
    // Server and client authentication.
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    // Bits from the left: signature and key encipherment; signs certificates and revocations.
    assert.deepEqual([usageOf(peer.cert), usageOf(authority.cert)], ['030205a0', '03020106']);
    assert.ok(BigInt(`0x${leaf.serialNumber}`) < 2n ** 128n);
    assert.notEqual(leaf.serialNumber, root.serialNumber);
  });

  test('have keys in the encoding of SEC 1, on P-256', () => {
    const { authority, peer } = chain();
    for (const pair of [authority, peer]) {
      assert.match(pair.key, /^-----BEGIN EC PRIVATE KEY-----\n/);
      assert.equal(createPrivateKey(pair.key).asymmetricKeyDetails?.namedCurve, 'prime256v1');
      assert.ok(isKeyOf(pair));
    }
    assert.ok(!isKeyOf({ cert: peer.cert, key: authority.key }));
    assert.ok(!isKeyOf({ cert: peer.cert, key: '' }));
  });

  test('are read with names, addresses, validity and issuer', () => {
    const { peer } = chain();
    assert.deepEqual(readCertificate(`a comment\n${peer.cert}${peer.key}`), {
      subject: 'O=OpenBao Operator\nCN=bao.openbao.svc',
      issuer: 'O=OpenBao Operator\nCN=bao OpenBao Root CA',
      isAuthority: false,
      notBefore: now - hour,
      notAfter: now + 365 * day,
      names: hosts.names,
      addresses: ['127.0.0.1', 'fe80::1'],
    });
    assert.deepEqual(readCertificate(chain().authority.cert).names, []);
  });

  test('end together where the certificate would outlive its authority', () => {
    const { authority, peer } = chain({ authorityDays: 30 });
    assert.equal(readCertificate(peer.cert).notAfter, readCertificate(authority.cert).notAfter);
  });

  test('are the same from the same source of keys', () => {
    assert.deepEqual(chain(), chain());
  });
});

test('a certificate is signed by its authority, and not by another one, one of the same name, or one that is no authority', () => {
  const { authority, peer } = chain();
  const other = certificateAuthority({ ...making, name: 'bao OpenBao Root CA', validDays: 3650 });
  assert.ok(isSignedBy(peer.cert, authority.cert));
  assert.ok(isSignedBy(authority.cert, authority.cert));
  assert.ok(!isSignedBy(peer.cert, other.cert));
  assert.ok(!isSignedBy(authority.cert, other.cert));
  assert.ok(!isSignedBy(peer.cert, peer.cert));
  const subject = distinguishedName('no authority');
  const ordinary = certificate({ making: { now, validDays: 1 }, subject, extensions: [] });
  const second = issuePeerCertificate(ordinary, { ...making, ...hosts, commonName: 'x', validDays: 1 });
  assert.ok(!isSignedBy(second.cert, ordinary.cert));
});

test('a certificate is not signed by an authority of another name with the same key, nor if its signature was changed', () => {
  const { authority, peer } = chain();
  const keys = { ...systemKeys, make: () => createPrivateKey(authority.key) };
  const renamed = certificateAuthority({ ...making, keys, name: 'another', validDays: 3650 });
  assert.ok(!isSignedBy(peer.cert, renamed.cert));
  const der = Buffer.from(new X509Certificate(peer.cert).raw);
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  assert.ok(!isSignedBy(pem('CERTIFICATE', der), authority.cert));
});

test('a certificate is trusted by an authority that it leads to, through the others of its chain', () => {
  const { authority, peer } = chain();
  const other = certificateAuthority({ ...making, name: 'other', validDays: 3650 });
  assert.ok(isTrustedBy(peer.cert, `${other.cert}${authority.cert}`));
  assert.ok(isTrustedBy(peer.cert, peer.cert), 'it is trusted itself');
  assert.ok(!isTrustedBy(peer.cert, other.cert));
  assert.ok(!isTrustedBy(peer.cert, ''));

  const intermediate = intermediateOf(authority);
  const leaf = issuePeerCertificate(intermediate, { ...making, ...hosts, commonName: 'leaf', validDays: 1 });
  assert.ok(isTrustedBy(`${leaf.cert}${other.cert}${intermediate.cert}`, authority.cert));
  assert.ok(!isTrustedBy(leaf.cert, authority.cert), 'without the certificate between them');
  assert.ok(!isTrustedBy(`${leaf.cert}${intermediate.cert}`, other.cert));
});

test('the certificates of a bundle are told apart, and what is no certificate is left out', () => {
  const { authority, peer } = chain();
  assert.deepEqual(certificatesIn(`${peer.cert}${peer.key}\n# root\n${authority.cert}`), [peer.cert, authority.cert]);
  assert.deepEqual(certificatesIn('no PEM'), []);
});

for (const text of ['', 'no PEM', chain().peer.key, chain().peer.cert.replace(/\n.{8}/, '\nAAAAAAAA')]) {
  test(`a text that is no certificate is a SyntaxError: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.throws(() => readCertificate(text), SyntaxError);
    assert.throws(() => isSignedBy(text, chain().authority.cert), SyntaxError);
  });
}
