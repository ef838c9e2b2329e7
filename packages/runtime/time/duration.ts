// SPDX-License-Identifier: Apache-2.0

/** A span of time in milliseconds. A type of its own, so that a bare number is never taken for one. */
export type Duration = number & { readonly unit: 'ms' };

/** As soon as possible. */
export const now = 0 as Duration;

/** So many milliseconds. */
export function milliseconds(count: number): Duration {
  return count as Duration;
}

/** So many seconds. */
export function seconds(count: number): Duration {
  return milliseconds(count * 1000);
}

/** So many minutes. */
export function minutes(count: number): Duration {
  return seconds(count * 60);
}
