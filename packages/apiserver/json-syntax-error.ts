// SPDX-License-Identifier: Apache-2.0

/** Where and why a text is no JSON, in the words of a server written in Go; undefined when it is JSON. */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  // One character for each byte: that is how a Go server reads, and what it quotes.
  const reader = new Reader(Buffer.from(bytes).toString('latin1'));
  try {
    reader.value();
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    this.#skip(/[ \t\r\n]*/y);
    const next = this.#text[this.#at];
    if (next === '{') this.#members();
    else if (next === '[') this.#items();
    else if (next === '"') this.#string();
    else if (next !== undefined && /[-\d]/.test(next)) this.#number();
    else if (next !== undefined && next in literals) this.#literal(literals[next as keyof typeof literals]);
    else this.#fail('looking for beginning of value');
  }

  end(): void {
    this.#skip(/[ \t\r\n]*/y);
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  #members(): void {
    this.#at += 1;
    if (this.#follows('}')) return;
    do {
      this.#skip(/[ \t\r\n]*/y);
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
      this.#string();
      if (!this.#follows(':')) this.#fail('after object key');
      this.value();
    } while (this.#follows(','));
    if (!this.#follows('}')) this.#fail('after object key:value pair');
  }

  #items(): void {
    this.#at += 1;
    if (this.#follows(']')) return;
    do this.value();
    while (this.#follows(','));
    if (!this.#follows(']')) this.#fail('after array element');
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      // oxlint-disable-next-line no-control-regex -- a string may hold anything but these
      this.#skip(/[^"\\\u0000-\u001f]*/y);
      if (this.#take('"')) return;
      if (!this.#take('\\')) this.#fail('in string literal');
      if (this.#take('u')) {
        for (let digit = 0; digit < 4; digit += 1) this.#expect(/[\da-f]/iy, 'in \\u hexadecimal character escape');
      } else this.#expect(/["\\/bfnrt]/y, 'in string escape code');
    }
  }

  #number(): void {
    this.#take('-');
    this.#expect(/0|[1-9]\d*/y, 'in numeric literal');
    if (this.#take('.')) this.#expect(/\d+/y, 'after decimal point in numeric literal');
    if (this.#take('e') || this.#take('E')) {
      this.#skip(/[+-]?/y);
      this.#expect(/\d+/y, 'in exponent of numeric literal');
    }
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (!this.#take(letter)) this.#fail(`in literal ${word} (expecting '${letter}')`);
    }
  }

  /** Takes this mark, and the space before it, if it comes next. */
  #follows(mark: string): boolean {
    this.#skip(/[ \t\r\n]*/y);
    return this.#take(mark);
  }

  #take(mark: string): boolean {
    const isNext = this.#text[this.#at] === mark;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #expect(pattern: RegExp, place: string): void {
    if (!this.#skip(pattern)) this.#fail(place);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isNext = pattern.test(this.#text);
    if (isNext) this.#at = pattern.lastIndex;
    return isNext;
  }

  #fail(place: string): never {
    const next = this.#text[this.#at];
    throw new SyntaxError(
      next === undefined ? 'unexpected end of JSON input' : `invalid character ${quoted(next)} ${place}`,
    );
  }
}

const literals = { t: 'true', f: 'false', n: 'null' };

/** A character as Go quotes one. */
function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  if (code > 0x7e && code < 0xa1) return code < 0x80 ? `'\\x7f'` : `'\\u00${hex}'`;
  const short = JSON.stringify(character).slice(1, -1);
  return short.startsWith('\\u') ? `'\\x${hex.padStart(2, '0')}'` : `'${short}'`;
}
