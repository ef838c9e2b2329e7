// SPDX-License-Identifier: Apache-2.0

/** The number, or the percentage of a total, rounded. */
export function intOrPercent(value: number | string, total: number, round: (share: number) => number): number {
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? Number(value) : round((Number(percent) * total) / 100);
}
