// SPDX-License-Identifier: Apache-2.0
import type { Issue } from './issue.ts';

/** A token. */
export interface Token {
  readonly kind: 'ident' | 'quoted' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quoted = [
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:${escape}|[^\\])*?"""`,
  String.raw`'''(?:${escape}|[^\\])*?'''`,
  String.raw`"(?:${escape}|[^\\"\n\r])*"`,
  String.raw`'(?:${escape}|[^\\'\n\r])*'`,
].join('|');

/** Token patterns in order; the first is white space and comments, which are skipped. */
const kinds = [undefined, 'bytes', 'string', 'double', 'uint', 'int', 'ident', 'quoted', 'symbol'] as const;
const token = new RegExp(
  [
    String.raw`((?:[\t \r\n\f]|//[^\n]*)+)`,
    `([bB](?:${quoted}))`,
    `(${quoted})`,
    String.raw`(\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)`,
    String.raw`((?:0x[0-9a-fA-F]+|\d+)[uU])`,
    String.raw`(0x[0-9a-fA-F]+|\d+)`,
    String.raw`([a-zA-Z_]\w*)`,
    '(`[a-zA-Z0-9_.\\-/ ]+`)',
    String.raw`(==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}])`,
  ].join('|'),
  'y',
);

/** Invalid input reported as one error: an unterminated string, half of an operator, or an unknown character. */
const unknown = /["'][^\n\r]*|[=&|][^]?|[^]/uy;

/** Tokenizes the source; invalid input is reported and skipped. */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (match === null) {
      unknown.lastIndex = at;
      const text = unknown.exec(source)?.[0] ?? '';
      issues.push({ at, message: `Syntax error: token recognition error at: '${text}'` });
      at += text.length;
      continue;
    }
    const [text] = match;
    const kind = kinds[match.indexOf(text, 1) - 1];
    if (kind !== undefined) tokens.push({ kind, text, at });
    at += text.length;
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: source.length }];
}
