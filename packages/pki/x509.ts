// SPDX-License-Identifier: Apache-2.0
import type { webcrypto } from 'node:crypto';
import type * as X509 from '@peculiar/x509';

/** The one kind of key we make. */
export const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** How long a certificate holds. */
export interface Validity {
  /** Milliseconds since the epoch. */
  now: number;
  validDays: number;
}

/** Loads the certificate library; only when a certificate is made, since it doubles a process's start-up time. */
export async function loadX509(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** The fields every certificate has: a random serial number and its time, from five minutes ago for slow clocks. */
export function commonFields({ now, validDays }: Validity): { serialNumber: string; notBefore: Date; notAfter: Date } {
  const serial = crypto.getRandomValues(Buffer.alloc(16));
  // A serial number is positive: its first bit must be clear, and not all of the first byte may be.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return {
    serialNumber: serial.toString('hex'),
    notBefore: new Date(now - 5 * 60_000),
    notAfter: new Date(now + validDays * 86_400_000),
  };
}

/** A private key as PKCS #8 PEM. */
export async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
