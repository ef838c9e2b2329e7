// SPDX-License-Identifier: Apache-2.0

/** Whether resource version `a` is later than `b`: they are growing decimal numbers of any size. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
