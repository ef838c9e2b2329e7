// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '../../schema/schema.ts';

const long = 'a'.repeat(1_000_000);

/** A fixed, aperiodic sequence of the letters a and b. */
function shuffled(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0 ? 'a' : 'b';
  }).join('');
}

/** Patterns that would block a server, with the values for which they do. */
export const matching: Readonly<Record<string, readonly [pattern: string, value: string]>> = {
  'a pattern that backtracks, a short value': ['^(a+)+$', `${'a'.repeat(34)}!`],
  'a pattern that backtracks, a long value': ['^(a+)+$', `${long}!`],
  'alternatives that overlap': ['^(a|aa)*b$', long],
  'repetitions of repetitions': ['((a*)*)*b', long],
  'a pattern with long counts': ['(a?){900}a{900}c$', long],
  'a pattern with very many states': ['^[ab]*a[ab]{900}c', shuffled(1_000_000)],
  'a large class with long counts': [String.raw`(?i)^[\x{100}-\x{2ff}a-z]{1000}c`, long],
};

/** Schemas whose patterns would take long to compile. */
export const compiling: Readonly<Record<string, Schema>> = {
  'many different patterns with long counts': schemaOf(
    Array.from({ length: 1000 }, (_, index) => `(a?){900}(b?){900}${index}`),
  ),
  'a pattern that is too long': schemaOf(['('.repeat(500_000)]),
  'a pattern of large classes': schemaOf([String.raw`\p{L}{900}`]),
};

function schemaOf(patterns: readonly string[]): Schema {
  const fields = patterns.map((pattern, index) => [`f${index}`, { type: 'string', pattern }] as const);
  return { type: 'object', properties: Object.fromEntries(fields) };
}
