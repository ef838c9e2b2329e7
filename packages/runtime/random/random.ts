// SPDX-License-Identifier: Apache-2.0
import { randomBytes, randomUUID } from 'node:crypto';
import { systemKeys, type Keys } from '@forge/pki/keys.ts';

/** Randomness as the program sees it, so that a test can repeat a run. */
export interface Random {
  /** Uniform in [0, 1). */
  number(): number;
  uuid(): string;
  /** Fit for keys. */
  bytes(count: number): Uint8Array;
  /** What certificates are made of. */
  readonly keys: Keys;
}

/** The machine's own randomness. */
export const systemRandom: Random = {
  number: () => Math.random(),
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  keys: systemKeys,
};
