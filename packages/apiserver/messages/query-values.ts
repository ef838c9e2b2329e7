// SPDX-License-Identifier: Apache-2.0
import { badRequest } from './status-errors.ts';

/** An integer query parameter; throws when it is not a number. */
export function integerOf(text = '0'): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Parses a boolean as kube-apiserver does: anything but `0` and `false` is true. */
export function booleanOf(text: string): boolean;
export function booleanOf(text: string | undefined): boolean | undefined;
export function booleanOf(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
