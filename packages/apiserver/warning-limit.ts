// SPDX-License-Identifier: Apache-2.0

const mostInAll = 4096;
const mostEach = 256;
const controlCharacter = /\p{Cc}/u;

/** The warnings that fit into an answer's headers: when they are too long together, each is cut, and the last are dropped. */
export function withinLimit(warnings: Iterable<string>): string[] {
  const fit = [...warnings].filter((text) => text !== '' && !controlCharacter.test(text));
  const told = fit.map((text) => Array.from(text));
  if (lengthOf(told) <= mostInAll) return fit;
  const cut = told.map((text) => text.slice(0, mostEach));
  return cut.filter((_, index) => lengthOf(cut.slice(0, index)) < mostInAll).map((text) => text.join(''));
}

function lengthOf(texts: readonly (readonly string[])[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
