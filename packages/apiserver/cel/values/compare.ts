// SPDX-License-Identifier: Apache-2.0
import { Duration, EvalError, Timestamp, Uint, type Value } from './value.ts';

/** The order of two values of comparable types: negative, 0 or positive. */
export function compare(a: Value, b: Value): number | EvalError {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration)) {
    return compareNumbers(a.nanoseconds, b.nanoseconds);
  }
  if (!isNumber(a) || !isNumber(b)) return new EvalError('no such overload');
  const order = compareNumbers(a, b);
  return Number.isNaN(order) ? new EvalError('NaN values cannot be ordered') : order;
}

/** Compares numbers of any type; NaN if either is. JavaScript compares bigint and number exactly. */
export function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number {
  const left = a instanceof Uint ? a.value : a;
  const right = b instanceof Uint ? b.value : b;
  if (left < right) return -1;
  if (left > right) return 1;
  return left == right ? 0 : Number.NaN;
}

/** Strings are ordered by code point, unlike UTF-16 order. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\uD800-\uDFFF]/.test(a) && !/[\uD800-\uDFFF]/.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether the value is a number of any type. */
export function isNumber(value: Value): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}
