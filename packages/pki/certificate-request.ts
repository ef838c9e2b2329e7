// SPDX-License-Identifier: Apache-2.0
import { createPublicKey, verify } from 'node:crypto';
import { childrenOf, contentIn, oid } from './der.ts';
import { pemBlock } from './pem.ts';

/** The subject of a certificate request. */
export interface CertificateRequest {
  commonName: string;
  organizations: readonly string[];
  /** Why the signature is not that of the key in the request; undefined when it is. */
  signatureProblem(): string | undefined;
}

/** Bounds the work of the parser: anybody can send it input. */
const maxLength = 64 * 1024;

/** Parses a certificate request (PKCS #10) in PEM; throws a SyntaxError, worded as Kubernetes does. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  if (pem.length > maxLength) throw new SyntaxError(`certificate request is too large: limit is ${maxLength} bytes`);
  const block = pemBlock(pem);
  if (block?.label !== 'CERTIFICATE REQUEST') throw new SyntaxError('PEM block type must be CERTIFICATE REQUEST');
  const [info, algorithm, signature] = childrenOf(block.der);
  const [, subject, key] = info === undefined ? [] : childrenOf(info);
  if (info === undefined || algorithm === undefined || signature === undefined || subject === undefined || !key) {
    throw new SyntaxError('asn1: structure error: not a certificate request');
  }
  return {
    ...nameIn(subject),
    signatureProblem: () => signatureProblem(info, key, childrenOf(algorithm)[0], contentIn(signature).subarray(1)),
  };
}

/** The last common name and all organizations of a distinguished name. */
function nameIn(subject: Uint8Array): Pick<CertificateRequest, 'commonName' | 'organizations'> {
  const parts = childrenOf(subject).flatMap(childrenOf).map(childrenOf);
  const valuesOf = (id: Buffer): string[] =>
    parts.flatMap(([type, value]) => (type && value && id.equals(type) ? [textOf(value)] : []));
  return { commonName: valuesOf(commonNameId).at(-1) ?? '', organizations: valuesOf(organizationId) };
}

const commonNameId = oid('2.5.4.3');
const organizationId = oid('2.5.4.10');

const bmpString = 0x1e;

function textOf(value: Uint8Array): string {
  const content = Buffer.from(contentIn(value));
  return value[0] === bmpString && content.length % 2 === 0 ? content.swap16().toString('utf16le') : content.toString();
}

const rsa = { key: '1.2.840.113549.1.1.1', failure: 'crypto/rsa: verification error' };
const ecdsa = { key: '1.2.840.10045.2.1', failure: 'x509: ECDSA verification failure' };
const ed25519 = { key: '1.3.101.112', failure: 'x509: Ed25519 verification failure' };

/** Signature algorithms: the kind of key, and the hash. */
const algorithms = [
  { id: '1.2.840.113549.1.1.5', ...rsa, hash: 'sha1' },
  { id: '1.2.840.113549.1.1.11', ...rsa, hash: 'sha256' },
  { id: '1.2.840.113549.1.1.12', ...rsa, hash: 'sha384' },
  { id: '1.2.840.113549.1.1.13', ...rsa, hash: 'sha512' },
  { id: '1.2.840.10045.4.1', ...ecdsa, hash: 'sha1' },
  { id: '1.2.840.10045.4.3.2', ...ecdsa, hash: 'sha256' },
  { id: '1.2.840.10045.4.3.3', ...ecdsa, hash: 'sha384' },
  { id: '1.2.840.10045.4.3.4', ...ecdsa, hash: 'sha512' },
  { id: '1.3.101.112', ...ed25519, hash: undefined },
];

function signatureProblem(
  signed: Uint8Array,
  key: Uint8Array,
  algorithm: Uint8Array | undefined,
  signature: Uint8Array,
): string | undefined {
  const known = algorithms.find(({ id }) => isId(algorithm, id));
  const [keyAlgorithm] = childrenOf(childrenOf(key)[0] ?? key);
  // Keys of other types are rejected first: some are slow to verify.
  if (known === undefined || !isId(keyAlgorithm, known.key)) {
    return 'x509: cannot verify signature: algorithm unimplemented';
  }
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' });
    return verify(known.hash, signed, publicKey, signature) ? undefined : known.failure;
  } catch {
    return known.failure;
  }
}

function isId(encoded: Uint8Array | undefined, id: string): boolean {
  return encoded !== undefined && oid(id).equals(encoded);
}
