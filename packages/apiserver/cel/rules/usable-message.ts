// SPDX-License-Identifier: Apache-2.0
import type { Result } from '../values/value.ts';

const longest = 5 * 1024;

/** The result of a messageExpression; undefined when it is an error, empty, too long, or has several lines. */
export function usableMessage(result: Result): string | undefined {
  if (typeof result !== 'string') return undefined;
  const message = result.trim();
  const isUsable = message !== '' && !message.includes('\n') && Buffer.byteLength(message) <= longest;
  return isUsable ? message : undefined;
}
