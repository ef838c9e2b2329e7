// SPDX-License-Identifier: Apache-2.0

/** Single-character escapes. */
export const controlEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapes = /\\(?:([0-3][0-7][0-7])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;

/** The value of a string literal; undefined for an invalid escape. */
export function unquoteString(literal: string): string | undefined {
  const { body, raw } = strip(literal);
  if (raw) return body;
  const codes = body.matchAll(escapes).map(codeOf);
  if (!codes.every((code) => code === undefined || isCharacter(code))) return undefined;
  return body.replaceAll(escapes, (...groups: string[]) => {
    const code = codeOf(groups);
    return code === undefined ? plainOf(groups) : String.fromCodePoint(code);
  });
}

/** The character of a numeric escape; undefined when it is invalid. */
function codeOf([, octal, hex, short, long]: readonly (string | undefined)[]): number | undefined {
  if (octal !== undefined) return parseInt(octal, 8);
  const digits = hex ?? short ?? long;
  return digits === undefined ? undefined : parseInt(digits, 16);
}

function plainOf({ 5: letter = '' }: readonly (string | undefined)[]): string {
  return controlEscapes[letter] ?? letter;
}

function isCharacter(code: number): boolean {
  return code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
}

/** The value of a bytes literal without its `b`; undefined for a Unicode escape. */
export function unquoteBytes(literal: string): Uint8Array | undefined {
  const { body, raw } = strip(literal);
  if (raw) return Buffer.from(body);
  const parts: Buffer[] = [];
  let rest = 0;
  for (const match of body.matchAll(escapes)) {
    const code = codeOf(match);
    if (/^\\u/i.test(match[0])) return undefined;
    parts.push(Buffer.from(body.slice(rest, match.index)));
    rest = match.index + match[0].length;
    parts.push(code === undefined ? Buffer.from(plainOf(match)) : Buffer.of(code));
  }
  return Buffer.concat([...parts, Buffer.from(body.slice(rest))]);
}

function strip(literal: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = (raw ? literal.slice(1) : literal).replaceAll(/\r\n?/g, '\n');
  const width = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}
