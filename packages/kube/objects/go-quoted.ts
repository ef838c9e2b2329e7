// SPDX-License-Identifier: Apache-2.0

/** The text as Go's %q quotes it: everything but letters, marks, numbers, punctuation, symbols and the space is escaped. */
export function goQuoted(text: string): string {
  return `"${text.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escaped)}"`;
}

/** From code 7: `\a`, `\b`, `\t` … */
const shortNames = 'abtnvfr';

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  const short = shortNames[code - 7];
  if (short !== undefined) return `\\${short}`;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
