// SPDX-License-Identifier: Apache-2.0
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { certificate, distinguishedName, extension, type KeyPair, type Making } from './certificate.ts';
import { bits, childrenOf, contentIn, element, oid, sequence } from './der.ts';
import { ipBytes } from './ip-bytes.ts';

/** Issues a server certificate for these DNS names and IP addresses. */
export function issueServerCertificate(
  authority: KeyPair,
  options: Making & { names: readonly string[]; addresses: readonly string[] },
): KeyPair {
  const name = options.names[0] ?? options.addresses[0];
  if (name === undefined) throw new Error('a server certificate needs at least one DNS name or IP address');
  const alternatives = sequence(
    ...options.names.map((each) => element(0x82, Buffer.from(each))),
    ...options.addresses.map((each) => element(0x87, ipBytes(each))),
  );
  return issue(authority, options, distinguishedName(name), [
    purpose('1.3.6.1.5.5.7.3.1'),
    extension('2.5.29.17', alternatives),
  ]);
}

/** Issues a client certificate of this user and groups for a Kubernetes API server. */
export function issueClientCertificate(
  authority: KeyPair,
  options: Making & { user: string; groups: readonly string[] },
): KeyPair {
  return issue(authority, options, distinguishedName(options.user, options.groups), [purpose('1.3.6.1.5.5.7.3.2')]);
}

function issue(authority: KeyPair, making: Making, subject: Buffer, extensions: readonly Buffer[]): KeyPair {
  const { raw } = new X509Certificate(authority.cert);
  const privateKey = createPrivateKey(authority.key);
  if (privateKey.asymmetricKeyType !== 'ec') throw new Error("the authority's key must be an elliptic curve key");
  return certificate(
    {
      making,
      subject,
      extensions: [
        extension('2.5.29.19', sequence(), 'critical'),
        // Digital signatures only.
        extension('2.5.29.15', bits(Buffer.from([0b1000_0000]), 7), 'critical'),
        ...extensions,
      ],
    },
    { name: subjectOf(raw), keyIdentifier: keyIdentifierOf(raw), privateKey },
  );
}

function purpose(id: string): Buffer {
  return extension('2.5.29.37', sequence(oid(id)));
}

/** The subject of a certificate (its sixth field), byte for byte: issued certificates must repeat it. */
function subjectOf(der: Uint8Array): Uint8Array {
  const [body = der] = childrenOf(der);
  const subject = childrenOf(body)[5];
  if (subject === undefined) throw new Error('the authority is not an X.509 version 3 certificate');
  return subject;
}

/** The subject key identifier of a certificate, if it has one. */
function keyIdentifierOf(der: Uint8Array): Uint8Array | undefined {
  const [body = der] = childrenOf(der);
  const extensions = childrenOf(body).filter(([tag]) => tag === 0xa3);
  const found = extensions
    .flatMap((each) => childrenOf(contentIn(each)))
    .map(childrenOf)
    .find(([id]) => id !== undefined && oid('2.5.29.14').equals(id))
    ?.at(-1);
  return found && contentIn(contentIn(found));
}
