// SPDX-License-Identifier: Apache-2.0
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { integer, octets, oid, sequence } from './der.ts';
import type { Keys } from './keys.ts';

/** The order of P-256. */
const order = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n;
/** Its base point. */
const firstX = 0x6b17d1f2_e12c4247_f8bce6e5_63a440f2_77037d81_2deb33a0_f4a13945_d898c296n;

const p256 = sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7'));

/** Repeatable keys from a byte source, for tests: their signatures are valid, but reveal the key. */
export function seededKeys(bytes: (count: number) => Uint8Array): Keys {
  return {
    make() {
      const [first = 0, ...rest] = bytes(32);
      // Without its first bit, the key is below the order.
      const secret = sequence(integer(Buffer.of(1)), octets(Buffer.of(first & 0x7f, ...rest)));
      const key = sequence(integer(Buffer.of(0)), p256, octets(secret));
      return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    },
    serial: () => bytes(16),
    // ECDSA with the constant nonce 1, to be deterministic.
    sign(content, key) {
      const digest = BigInt(`0x${createHash('sha256').update(content).digest('hex')}`);
      return sequence(positive(firstX), positive((digest + firstX * secretOf(key)) % order));
    },
  };
}

function secretOf(key: KeyObject): bigint {
  const { d = '' } = key.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(d, 'base64url').toString('hex')}`);
}

function positive(number: bigint): Buffer {
  const digits = number.toString(16);
  return integer(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
}
