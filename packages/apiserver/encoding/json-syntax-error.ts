// SPDX-License-Identifier: Apache-2.0

/** Maximum nesting depth. */
export const maxDepth = 10_000;

/** The error of Go's YAML parser for a text that is nested too deeply. */
export function yamlTooDeep(): SyntaxError {
  return new SyntaxError(`yaml: exceeded max depth of ${maxDepth}`);
}

/** The error of Go's JSON parser for a text; undefined when it is valid JSON. */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  // One character per byte, as Go reads and quotes it.
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

  /** Reads a value without recursion, since nesting may be deep. */
  value(): void {
    const open: ('{' | '[')[] = [];
    for (;;) {
      const opening = this.#scalarOrOpening();
      if (opening !== undefined) {
        if (open.length === maxDepth) this.#fail('exceeded max depth');
        this.#at += 1;
        if (!this.#follows(closings[opening])) {
          open.push(opening);
          if (opening === '{') this.#name();
          continue;
        }
      }
      if (!this.#nextPart(open)) return;
    }
  }

  end(): void {
    this.#skip(/[ \t\r\n]*/y);
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  /** Reads a scalar; stops before an object or list and returns its opening bracket. */
  #scalarOrOpening(): '{' | '[' | undefined {
    this.#skip(/[ \t\r\n]*/y);
    const next = this.#text[this.#at];
    if (next === '{' || next === '[') return next;
    if (next === '"') this.#string();
    else if (next !== undefined && /[-\d]/.test(next)) this.#number();
    else if (next !== undefined && next in literals) this.#literal(literals[next as keyof typeof literals]);
    else this.#fail('looking for beginning of value');
    return undefined;
  }

  /** Moves from the end of a value to the next one; false when there is none. */
  #nextPart(open: ('{' | '[')[]): boolean {
    for (let inside = open.at(-1); inside !== undefined; inside = open.at(-1)) {
      if (this.#follows(',')) {
        if (inside === '{') this.#name();
        return true;
      }
      if (!this.#follows(closings[inside])) {
        this.#fail(inside === '{' ? 'after object key:value pair' : 'after array element');
      }
      open.pop();
    }
    return false;
  }

  #name(): void {
    this.#skip(/[ \t\r\n]*/y);
    if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
    this.#string();
    if (!this.#follows(':')) this.#fail('after object key');
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      this.#skipCharacters();
      if (this.#take('"')) return;
      if (!this.#take('\\')) this.#fail('in string literal');
      if (this.#take('u')) {
        for (let digit = 0; digit < 4; digit += 1) this.#expect(/[\da-f]/iy, 'in \\u hexadecimal character escape');
      } else this.#expect(/["\\/bfnrt]/y, 'in string escape code');
    }
  }

  /** Moves to what ends a string: a quote, a control character, or an invalid escape. */
  #skipCharacters(): void {
    const text = this.#text;
    let at = this.#at;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote || code < space) break;
      if (code === backslash) {
        if (!simpleEscapes.has(text.charCodeAt(at + 1))) break;
        at += 1;
      }
    }
    this.#at = at;
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

  /** Consumes leading space and this token if it comes next. */
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

const [space, quote, backslash] = [0x20, 0x22, 0x5c];
const simpleEscapes = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

const closings = { '{': '}', '[': ']' };

const literals = { t: 'true', f: 'false', n: 'null' };

/** A character as Go quotes it. */
function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  if (character === '\u0007') return String.raw`'\a'`;
  if (character === '\v') return String.raw`'\v'`;
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  if (code > 0x7e && code < 0xa1) return code < 0x80 ? `'\\x7f'` : `'\\u00${hex}'`;
  const short = JSON.stringify(character).slice(1, -1);
  return short.startsWith('\\u') ? `'\\x${hex.padStart(2, '0')}'` : `'${short}'`;
}
