// SPDX-License-Identifier: Apache-2.0
import type { Extension, JsonName } from '@peculiar/x509';
import type { KeyPair } from './certificate-authority.ts';
import { commonFields, loadX509, p256, privateKeyPem, type Validity } from './x509.ts';

/** Issues a certificate with which a server answers under these DNS names and IP addresses. */
export async function issueServerCertificate(
  authority: KeyPair,
  options: Validity & { names: readonly string[]; addresses: readonly string[] },
): Promise<KeyPair> {
  const x509 = await loadX509();
  const alternatives = [
    ...options.names.map((value) => ({ type: 'dns' as const, value })),
    ...options.addresses.map((value) => ({ type: 'ip' as const, value })),
  ];
  const name = options.names[0] ?? options.addresses[0];
  if (name === undefined) throw new Error('A server certificate needs at least one DNS name or IP address');
  return issue(
    authority,
    options,
    [{ CN: [name] }],
    [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives),
    ],
  );
}

/** Issues a certificate that makes its holder this user, in these groups, to a Kubernetes API server. */
export async function issueClientCertificate(
  authority: KeyPair,
  options: Validity & { user: string; groups: readonly string[] },
): Promise<KeyPair> {
  const x509 = await loadX509();
  const subject = [...options.groups.map((group) => ({ O: [group] })), { CN: [options.user] }];
  return issue(authority, options, subject, [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])]);
}

async function issue(
  authority: KeyPair,
  validity: Validity,
  subject: JsonName,
  extensions: Extension[],
): Promise<KeyPair> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.cert);
  const signingKey = await crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(authority.key), p256, false, [
    'sign',
  ]);
  const keys = await crypto.subtle.generateKey(p256, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.create({
    ...commonFields(validity),
    subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: p256,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      ...extensions,
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { cert: cert.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}
