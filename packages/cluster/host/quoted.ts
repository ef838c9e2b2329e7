// SPDX-License-Identifier: Apache-2.0

/** A shell-quoted word. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
