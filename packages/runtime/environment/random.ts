// SPDX-License-Identifier: Apache-2.0
import { randomBytes, randomUUID } from 'node:crypto';
import { systemKeys, type Keys } from '@forge/pki/keys.ts';

/** The source of randomness, replaceable so that tests are repeatable. */
export interface Random {
  /** Uniform in [0, 1). */
  number(): number;
  uuid(): string;
  /** Cryptographically secure. */
  bytes(count: number): Uint8Array;
  /** Key pairs for certificates. */
  readonly keys: Keys;
}

/** The system's randomness. */
export const systemRandom: Random = {
  number: () => Math.random(),
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  keys: systemKeys,
};
