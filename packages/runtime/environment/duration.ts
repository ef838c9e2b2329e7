// SPDX-License-Identifier: Apache-2.0

/** A duration in milliseconds; a type of its own, so that no bare number passes for one. */
export type Duration = number & { readonly unit: 'ms' };

/** As soon as possible. */
export const now = 0 as Duration;

/** A duration in milliseconds. */
export function milliseconds(count: number): Duration {
  return count as Duration;
}

/** A duration in seconds. */
export function seconds(count: number): Duration {
  return milliseconds(count * 1000);
}

/** A duration in minutes. */
export function minutes(count: number): Duration {
  return seconds(count * 60);
}
