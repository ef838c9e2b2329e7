// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** The source of keys, serial numbers and signatures, replaceable so that tests are repeatable. */
export interface Keys {
  /** A new private key on the curve P-256. */
  make(): KeyObject;
  /** Sixteen bytes for a unique serial number. */
  serial(): Uint8Array;
  /** An ECDSA signature of the content's SHA-256, as DER. */
  sign(content: Uint8Array, key: KeyObject): Uint8Array;
}

/** Keys, serial numbers and signatures from the system. */
export const systemKeys: Keys = {
  make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  serial: () => randomBytes(16),
  sign: (content, key) => sign('sha256', content, key),
};
