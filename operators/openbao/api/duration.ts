// SPDX-License-Identifier: Apache-2.0
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type, type TString } from 'typebox';

/** Part of a duration in Go's syntax. */
export const durationPart = '([0-9]{1,5}([.][0-9]{1,3})?(h|m|s|ms))';
/** A duration in Go's syntax; so few digits, in so short a text, that no sum overflows. */
export const durationPattern = `${durationPart}+`;
const maxLength = 32;

/** A duration that must be greater than zero, and at most `most`. */
export function duration(description: string, most?: string): TString {
  const bounds = [
    `duration(self) > duration('0s')`,
    ...(most === undefined ? [] : [`duration(self) <= duration('${most}')`]),
  ];
  return Type.String({
    description: `${description} A duration such as 720h, 1h30m or 30s.`,
    minLength: 1,
    maxLength,
    ...rule(
      `self.matches(r'^${durationPattern}$') && ${bounds.join(' && ')}`,
      `must be a duration such as 720h, 1h30m or 30s, greater than 0${most === undefined ? '' : ` and at most ${most}`}`,
    ),
  });
}
