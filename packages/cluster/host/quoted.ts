// SPDX-License-Identifier: Apache-2.0

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
