// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { certificateAuthority } from './certificate-authority.ts';
import { certificate } from './certificate.ts';
import { element, oid, sequence, set } from './der.ts';
import { issueClientCertificate, issueServerCertificate } from './issue-certificate.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test('a server certificate is signed by its authority and names every host and address', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 3650 });
  const pair = issueServerCertificate(authority, {
    names: ['kubernetes.default.svc', 'localhost'],
    addresses: ['127.0.0.1', '10.96.0.1'],
    now,
    validDays: 365,
  });
  const cert = new X509Certificate(pair.cert);
  assert.ok(cert.verify(new X509Certificate(authority.cert).publicKey));
  assert.ok(cert.checkIssued(new X509Certificate(authority.cert)));
  assert.equal(cert.checkHost('kubernetes.default.svc'), 'kubernetes.default.svc');
  assert.equal(cert.checkIP('10.96.0.1'), '10.96.0.1');
  assert.equal(cert.checkHost('elsewhere'), undefined);
  assert.equal(cert.ca, false);
  assert.equal(Date.parse(cert.validTo), now + 365 * 86_400_000);
  assert.ok(cert.checkPrivateKey(createPrivateKey(pair.key)));
});

test('a client certificate carries the user as common name and the groups as organizations', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 3650 });
  const pair = issueClientCertificate(authority, {
    user: 'system:node:forge',
    groups: ['system:nodes', 'system:authenticated'],
    now,
    validDays: 365,
  });
  const { subject } = new X509Certificate(pair.cert);
  assert.equal(subject, 'O=system:nodes\nO=system:authenticated\nCN=system:node:forge');
});

test('a server certificate without any name is rejected', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 1 });
  assert.throws(
    () => issueServerCertificate(authority, { names: [], addresses: [], now, validDays: 1 }),
    /at least one DNS name or IP address/,
  );
});

test('a certificate can have IPv4 and IPv6 addresses', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 1 });
  const addresses = ['127.0.0.1', '::1', 'fe80::1:2', '::ffff:10.0.0.1', '1:2:3:4:5:6:7:8'];
  const { cert } = issueServerCertificate(authority, { names: [], addresses, now, validDays: 1 });
  const read = new X509Certificate(cert);
  for (const address of addresses) assert.equal(read.checkIP(address), address);
  assert.equal(read.checkIP('::2'), undefined);
});

test('an invalid address or name is rejected', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 1 });
  const issue = (names: string[], addresses: string[]) =>
    issueServerCertificate(authority, { names, addresses, now, validDays: 1 });
  assert.throws(() => issue([], ['10.0.0.256']), /"10.0.0.256" is not an IP address/);
  assert.throws(() => issue([], ['fe80::1%eth0']), /"fe80::1%eth0" is not an IP address/);
  for (const name of ['bäo', 'a b', '']) assert.throws(() => issue([name], []), / is not a DNS name/);
});

test('a certificate may expire after 2049', () => {
  const authority = certificateAuthority({ name: 'forge', now, validDays: 36_500 });
  assert.equal(Date.parse(new X509Certificate(authority.cert).validTo), now + 36_500 * 86_400_000);
});

test("a certificate's issuer is the subject of an external authority, byte for byte", () => {
  const subject = sequence(set(sequence(oid('2.5.4.3'), element(0x13, Buffer.from('Old Root')))));
  const foreign = certificate({ making: { now, validDays: 1 }, subject, extensions: [] });
  const { cert } = issueClientCertificate(foreign, { user: 'u', groups: [], now, validDays: 1 });
  assert.ok(new X509Certificate(cert).checkIssued(new X509Certificate(foreign.cert)));
});

/** Created by openssl, with a key on another curve. */
const externalAuthority = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBvDCCAUKgAwIBAgIUCtVaUuenXwQAo8Wu81KA2w/qM5kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJZWxzZXdoZXJlMCAXDTI2MTExNTE0MDE0MloYDzIxMjYxMDIy
MTQwMTQyWjAUMRIwEAYDVQQDDAllbHNld2hlcmUwdjAQBgcqhkjOPQIBBgUrgQQA
IgNiAATweqnr9IbqZl3ZwFWsUFxDCfsWuQ9JjnqZJicTNT1wpAPT+l/PDbwPJhlj
K1ixtY/EkHsdmvyDaXBDbodKSe5j3Hp4kOCEPX1nZ1tUXF7evXoUz3Ado5hBSPq1
0p+lHYujUzBRMB0GA1UdDgQWBBRgfjPaNm/CyO+PuEVT7KzSEVRPcDAfBgNVHSME
GDAWgBRgfjPaNm/CyO+PuEVT7KzSEVRPcDAPBgNVHRMBAf8EBTADAQH/MAoGCCqG
SM49BAMCA2gAMGUCMQDWsNsRfd7ibMD4ElzWlY4QbtYEYt0CLcpT2CKwEhZ9qTWs
NBnI9dWXfI+Qcdhh8cMCMFQEyQtqLkcIPZAmXUyn/cuK/BZbDoeodeCLWCxBX8l3
pMfm4esZCnk3tBqH+yIkvA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCq6LqsG6LLgbVikNQ5
NqcczIDWk/pJeOLzvEXjk9bbpTO4qJ+HN1irOX/jxlRfCVGhZANiAATweqnr9Ibq
Zl3ZwFWsUFxDCfsWuQ9JjnqZJicTNT1wpAPT+l/PDbwPJhljK1ixtY/EkHsdmvyD
aXBDbodKSe5j3Hp4kOCEPX1nZ1tUXF7evXoUz3Ado5hBSPq10p+lHYs=
-----END PRIVATE KEY-----
`,
};

test('a certificate has the key identifier of an external authority', () => {
  const { cert } = issueClientCertificate(externalAuthority, { user: 'u', groups: [], now, validDays: 1 });
  const [issued, authority] = [new X509Certificate(cert), new X509Certificate(externalAuthority.cert)];
  assert.ok(issued.checkIssued(authority) && issued.verify(authority.publicKey));
});

test('an authority with a key of another type is rejected', () => {
  const { cert } = certificateAuthority({ name: 'forge', now, validDays: 1 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  assert.throws(
    () => issueClientCertificate({ cert, key }, { user: 'u', groups: [], now, validDays: 1 }),
    /must be an elliptic curve key/,
  );
});
