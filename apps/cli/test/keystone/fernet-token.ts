// SPDX-License-Identifier: Apache-2.0
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The index of the key in a Fernet repository that signed a token; undefined when none did. */
export function fernetSigner(token: string, keys: Readonly<Record<string, string>>): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const [signed, signature] = [bytes.subarray(0, -32), bytes.subarray(-32)];
  return Object.keys(keys).find((index) => {
    // The first half of a key signs, the other half encrypts.
    const key = Buffer.from(keys[index] ?? '', 'base64url').subarray(0, 16);
    return timingSafeEqual(createHmac('sha256', key).update(signed).digest(), signature);
  });
}

/** When a Fernet token was issued, in whole seconds since 1970: the eight bytes after its version. */
export function issuedAt(token: string): number {
  return Number(Buffer.from(token, 'base64url').readBigUInt64BE(1));
}
