// SPDX-License-Identifier: Apache-2.0
import { createPublicKey } from 'node:crypto';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { distinguishedName } from '@forge/pki/certificate.ts';
import { bits, element, integer, oid, sequence } from '@forge/pki/der.ts';
import { pem } from '@forge/pki/pem.ts';
import { seededKeys } from '@forge/pki/seeded-keys.ts';

const keys = seededKeys((count) => Buffer.alloc(count, 7));
const privateKey = keys.make();
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });

/** Base64 of a certificate request in PEM, the same on each run; `change` modifies the signed part afterwards. */
export function requestFor(
  commonName: string,
  organizations: readonly string[] = [],
  change: (signed: Buffer) => Buffer = (signed) => signed,
): string {
  const info = sequence(integer(Buffer.of(0)), distinguishedName(commonName, organizations), publicKey, element(0xa0));
  const signature = bits(keys.sign(info, privateKey));
  const request = sequence(change(info), sequence(oid('1.2.840.10045.4.3.2')), signature);
  return base64(pem('CERTIFICATE REQUEST', request));
}

/** Base64 of a certificate in PEM, the same on each run. */
export function certificateOf(name: string): string {
  const now = Date.UTC(2026, 0, 1);
  const repeatable = seededKeys((count) => Buffer.alloc(count, 7));
  return base64(certificateAuthority({ name, now, validDays: 365, keys: repeatable }).cert);
}

/** Base64 of a text. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
