// SPDX-License-Identifier: Apache-2.0
import { jsonSyntaxError, maxDepth } from './json-syntax-error.ts';
import { BodyLimits } from './object-size.ts';

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown;
  /** Whether some object has duplicate fields. */
  readonly hasDuplicates: boolean;
}

/**
 * Parses JSON as Go does, with its depth limit; throws a SyntaxError with Go's message. Texts with more values or levels
 * than a body may have are refused by an API error; those of a part of one count with the rest.
 */
export function parseJson(bytes: Uint8Array, limits = new BodyLimits()): ParsedJson {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  // Before it is parsed, which takes long for many values or levels.
  const { depth, names } = outline(text, limits);
  const value = depth > maxDepth ? undefined : tryParse(text);
  if (value === undefined) throw new SyntaxError(jsonSyntaxError(bytes) ?? 'not JSON');
  limits.checkNesting(depth);
  return { value, hasDuplicates: names !== countFields(value) };
}

/** The parsed value; undefined when the text is invalid. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The nesting depth, and the number of field names; throws when there are more values than a body may have. */
function outline(text: string, limits: BodyLimits): { depth: number; names: number } {
  let names = 0;
  let depth = 0;
  /** The number of fields or items of each enclosing object or list. */
  const members: number[] = [0];
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case colon:
        names += 1;
        break;
      case openBrace:
      case openBracket:
        level += 1;
        members[level] = 1;
        if (level > depth) depth = level;
        if (depth > maxDepth) return { depth, names };
        // The first value inside has no comma.
        limits.addValue();
        break;
      case comma:
        limits.addValue();
        limits.checkMembers((members[level] = (members[level] as number) + 1));
        break;
      case closeBrace:
      case closeBracket:
        // The parser reports unmatched brackets.
        if (level > 0) level -= 1;
        break;
    }
  }
  return { depth, names };
}

const [quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
];
const backslash = 0x5c;

/** The position of the closing quote of the string that starts here. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** The total number of fields; without recursion, since nesting may be deep. */
function countFields(value: unknown): number {
  const left: object[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'object' && part !== null) left.push(part);
  };
  let fields = 0;
  visit(value);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (Array.isArray(next)) for (const item of next) visit(item);
    else {
      for (const name in next) {
        fields += 1;
        visit(next[name as keyof typeof next]);
      }
    }
  }
  return fields;
}
