// SPDX-License-Identifier: Apache-2.0

/** The counts that are not 0: the API omits zeros in a status. */
export function withoutZeros<T extends Record<string, number>>(counts: T): Partial<T> {
  const kept: Partial<T> = { ...counts };
  for (const key in kept) if (kept[key] === 0) delete kept[key];
  return kept;
}
