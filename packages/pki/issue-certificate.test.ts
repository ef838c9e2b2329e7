// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import { certificateAuthority } from './certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from './issue-certificate.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test('a server certificate is signed by its authority and names every host and address', async () => {
  const authority = await certificateAuthority({ name: 'forge', now, validDays: 3650 });
  const pair = await issueServerCertificate(authority, {
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

test('a client certificate carries the user as common name and the groups as organizations', async () => {
  const authority = await certificateAuthority({ name: 'forge', now, validDays: 3650 });
  const pair = await issueClientCertificate(authority, {
    user: 'system:node:forge',
    groups: ['system:nodes', 'system:authenticated'],
    now,
    validDays: 365,
  });
  const { subject } = new X509Certificate(pair.cert);
  assert.equal(subject, 'O=system:nodes\nO=system:authenticated\nCN=system:node:forge');
});

test('a server certificate without any name is refused', async () => {
  const authority = await certificateAuthority({ name: 'forge', now, validDays: 1 });
  await assert.rejects(
    issueServerCertificate(authority, { names: [], addresses: [], now, validDays: 1 }),
    /at least one DNS name or IP address/,
  );
});
