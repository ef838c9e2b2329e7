// SPDX-License-Identifier: Apache-2.0

const maxTotalLength = 4096;
const maxTextLength = 256;
const controlCharacter = /\p{Cc}/u;

/**
 * The distinct warnings that fit into the response headers: when their total length is too large, each is truncated and
 * the last are dropped. Memory is bounded, however many there are.
 */
export class ResponseWarnings {
  readonly #texts = new Set<string>();
  #length = 0;
  #cutLength = 0;

  add(text: string): void {
    if (this.#cutLength >= maxTotalLength || text === '' || this.#texts.has(text) || controlCharacter.test(text))
      return;
    const { length } = Array.from(text);
    this.#texts.add(text);
    this.#length += length;
    this.#cutLength += Math.min(length, maxTextLength);
  }

  list(): string[] {
    const texts = [...this.#texts];
    return this.#length <= maxTotalLength
      ? texts
      : texts.map((text) => Array.from(text).slice(0, maxTextLength).join(''));
  }
}
