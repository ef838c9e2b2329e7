// SPDX-License-Identifier: Apache-2.0
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyPair } from './certificate.ts';
import { childrenOf, contentIn, oid } from './der.ts';
import { ipText } from './ip-bytes.ts';
import { pem, pemBlock } from './pem.ts';

/** What a certificate says. */
export interface CertificateContent {
  /** As `O=OpenBao Operator`, `CN=bao.openbao.svc`, a line each. */
  subject: string;
  issuer: string;
  /** Whether it may sign others. */
  isAuthority: boolean;
  /** Milliseconds since the epoch. */
  notBefore: number;
  notAfter: number;
  /** Its DNS names, and its IP addresses in their shortest form. */
  names: readonly string[];
  addresses: readonly string[];
}

/** The extension with the names and addresses of a server. */
export const subjectAlternatives = '2.5.29.17';

/** Reads the first certificate of a PEM text; throws a SyntaxError when there is none that can be read. */
export function readCertificate(text: string): CertificateContent {
  const certificate = parse(text);
  const { subject, issuer, ca: isAuthority, validFromDate, validToDate, raw } = certificate;
  const found = extensionIn(raw, subjectAlternatives);
  const hosts = found === undefined ? [] : childrenOf(found);
  const ofTag = (wanted: number) => hosts.filter(([tag]) => tag === wanted).map(contentIn);
  return {
    subject,
    issuer,
    isAuthority,
    notBefore: validFromDate.getTime(),
    notAfter: validToDate.getTime(),
    names: ofTag(0x82).map((name) => Buffer.from(name).toString('latin1')),
    addresses: ofTag(0x87).map(ipText),
  };
}

/** Whether the first certificate of a text was signed by that of an authority, whatever the time is; throws as `readCertificate`. */
export function isSignedBy(text: string, authority: string): boolean {
  const [certificate, issuer] = [parse(text), parse(authority)];
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/**
 * Whether the first certificate of a text is one of these authorities or leads to one, through the others of its text, whatever
 * the time is; throws as `readCertificate`.
 */
export function isTrustedBy(chain: string, authorities: string): boolean {
  const [leaf = '', ...others] = certificatesIn(chain);
  const roots = certificatesIn(authorities);
  if (roots.some((root) => root === leaf || isSignedBy(leaf, root))) return true;
  const intermediate = others.findIndex((each) => isSignedBy(leaf, each));
  // Without those before it, so that certificates that signed each other are an end.
  return intermediate >= 0 && isTrustedBy(others.slice(intermediate).join(''), authorities);
}

/** Whether the key is that of the certificate; not when one of them cannot be read. */
export function isKeyOf({ cert, key }: KeyPair): boolean {
  try {
    return parse(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The certificates of a PEM text, each as a text of its own. */
export function certificatesIn(text: string): string[] {
  const found: string[] = [];
  for (let block = pemBlock(text); block !== undefined; block = pemBlock(block.rest)) {
    if (block.label === 'CERTIFICATE') found.push(pem(block.label, Buffer.from(block.der)));
  }
  return found;
}

/** The content of an extension of a certificate (DER); undefined when it has none such. */
export function extensionIn(certificate: Uint8Array, id: string): Uint8Array | undefined {
  const [body = certificate] = childrenOf(certificate);
  const found = childrenOf(body)
    .filter(([tag]) => tag === 0xa3)
    .flatMap((each) => childrenOf(contentIn(each)))
    .map(childrenOf)
    .find(([type]) => type !== undefined && oid(id).equals(type))
    ?.at(-1);
  return found && contentIn(found);
}

function parse(text: string): X509Certificate {
  const [first] = certificatesIn(text);
  if (first === undefined) throw new SyntaxError('there is no PEM block of type CERTIFICATE');
  try {
    return new X509Certificate(first);
  } catch (error) {
    throw new SyntaxError('the certificate cannot be parsed', { cause: error });
  }
}
