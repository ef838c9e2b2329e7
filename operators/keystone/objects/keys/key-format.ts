// SPDX-License-Identifier: Apache-2.0

/** Keys by their index, as the `data` of a Secret holds them. */
export type Keys = Readonly<Record<string, string>>;

const encodedLength = 44;
const keyLength = 32;

/** Whether there is a key to sign or encrypt with. */
export function holdsKeys(keys: Keys): boolean {
  return Object.entries(keys).some(([index, encoded]) => formatProblem(index, encoded) === undefined);
}

/** Why an entry is no Fernet key; undefined when it is one. */
export function formatProblem(index: string, encoded = ''): string | undefined {
  const key = Buffer.from(encoded, 'base64').toString('latin1');
  if (!/^(0|[1-9]\d*)$/.test(index)) return 'is not an index';
  if (key.length !== encodedLength) return `length=${key.length}, want ${encodedLength}`;
  if (!/^[-_A-Za-z0-9]*={0,2}$/.test(key)) return 'base64 decode: illegal character';
  const { length } = Buffer.from(key, 'base64url');
  return length === keyLength ? undefined : `decoded length=${length}, want ${keyLength}`;
}
