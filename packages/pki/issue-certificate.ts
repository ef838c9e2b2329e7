// SPDX-License-Identifier: Apache-2.0
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { certificate, distinguishedName, extension, type KeyPair, type Making } from './certificate.ts';
import { bits, childrenOf, contentIn, element, oid, sequence } from './der.ts';
import { ipBytes } from './ip-bytes.ts';
import { extensionIn, subjectAlternatives } from './read-certificate.ts';

/** The DNS names and IP addresses of a server. */
interface Hosts {
  names: readonly string[];
  addresses: readonly string[];
}

const serverAuthentication = '1.3.6.1.5.5.7.3.1';
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** Bits of a key's usage. */
const digitalSignature = 0b1000_0000;
const keyEncipherment = 0b0010_0000;

/** Issues a server certificate for these DNS names and IP addresses. */
export function issueServerCertificate(authority: KeyPair, options: Making & Hosts): KeyPair {
  const name = options.names[0] ?? options.addresses[0];
  if (name === undefined) throw new Error('a server certificate needs at least one DNS name or IP address');
  const extensions = [usage(digitalSignature), purposes(serverAuthentication), alternatives(options)];
  return issue(authority, options, distinguishedName(name), extensions);
}

/** Issues the certificate of a server that also authenticates with it, as a client of its peers. */
export function issuePeerCertificate(
  authority: KeyPair,
  options: Making & Hosts & { commonName: string; organizations: readonly string[] },
): KeyPair {
  return issue(authority, options, distinguishedName(options.commonName, options.organizations), [
    usage(digitalSignature | keyEncipherment),
    purposes(serverAuthentication, clientAuthentication),
    alternatives(options),
  ]);
}

/** Issues a client certificate of this user and groups for a Kubernetes API server. */
export function issueClientCertificate(
  authority: KeyPair,
  options: Making & { user: string; groups: readonly string[] },
): KeyPair {
  const extensions = [usage(digitalSignature), purposes(clientAuthentication)];
  return issue(authority, options, distinguishedName(options.user, options.groups), extensions);
}

function issue(authority: KeyPair, making: Making, subject: Buffer, extensions: readonly Buffer[]): KeyPair {
  const { raw, validToDate } = new X509Certificate(authority.cert);
  const privateKey = createPrivateKey(authority.key);
  if (privateKey.asymmetricKeyType !== 'ec') throw new Error("the authority's key must be an elliptic curve key");
  return certificate(
    { making, subject, extensions: [extension('2.5.29.19', sequence(), 'critical'), ...extensions] },
    { name: subjectOf(raw), keyIdentifier: keyIdentifierOf(raw), privateKey, notAfter: validToDate.getTime() },
  );
}

function usage(allowed: number): Buffer {
  const unused = 31 - Math.clz32(allowed & -allowed);
  return extension('2.5.29.15', bits(Buffer.of(allowed), unused), 'critical');
}

function purposes(...ids: readonly string[]): Buffer {
  return extension('2.5.29.37', sequence(...ids.map(oid)));
}

function alternatives({ names, addresses }: Hosts): Buffer {
  const hosts = [
    ...names.map((each) => element(0x82, nameBytes(each))),
    ...addresses.map((each) => element(0x87, ipBytes(each))),
  ];
  return extension(subjectAlternatives, sequence(...hosts));
}

/** A DNS name has no other characters; whoever reads a certificate with others refuses it. */
function nameBytes(name: string): Buffer {
  if (!/^[\w.*-]+$/.test(name)) throw new Error(`"${name}" is not a DNS name`);
  return Buffer.from(name);
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
  const found = extensionIn(der, '2.5.29.14');
  return found && contentIn(found);
}
