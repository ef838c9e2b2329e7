// SPDX-License-Identifier: Apache-2.0

/** A span of time in milliseconds. A type of its own, so that a bare number is never taken for one. */
export type Duration = number & { readonly unit: 'ms' };

/** As soon as possible. */
export const now = 0 as Duration;

/** So many seconds. */
export function seconds(count: number): Duration {
  return (count * 1000) as Duration;
}
