// SPDX-License-Identifier: Apache-2.0
import { yamlTooDeep } from './json-syntax-error.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { yamlThread } from './yaml-thread.ts';

/** Texts up to this size in bytes are parsed in this thread: even hostile ones take only a few milliseconds. */
const smallSize = 4 * 1024;

/** A parsed YAML text, with the bytes of it or of its JSON, whichever are more. */
interface ParsedYaml extends ParsedJson {
  readonly size: number;
}

/** Parses a user's YAML; throws a SyntaxError with the message of Go's parser. */
export async function parseYaml(bytes: Uint8Array, user: string): Promise<ParsedYaml> {
  // Most bodies sent as YAML are JSON: the YAML parser is loaded only for others.
  const json = beginsJson(bytes) ? tryJson(bytes) : undefined;
  if (json !== undefined) return { ...json, size: bytes.length };
  // Aliases can make a large object of a small text.
  const isSmall = bytes.length <= smallSize && !bytes.includes(ampersand);
  const converted = await (isSmall ? jsonOf(bytes) : yamlThread.toJson(bytes, user));
  return { ...parseJson(converted), size: Math.max(bytes.length, converted.length), hasDuplicates: false };
}

const ampersand = 0x26;
const openings = new Set(Array.from('{[', (letter) => letter.charCodeAt(0)));
const spaces = new Set(Array.from(' \t\r\n', (letter) => letter.charCodeAt(0)));

function beginsJson(bytes: Uint8Array): boolean {
  return openings.has(bytes.find((byte) => !spaces.has(byte)) ?? 0);
}

/** The parsed JSON; undefined when it is not JSON. Size limits also apply to YAML in flow style. */
function tryJson(bytes: Uint8Array): ParsedJson | undefined {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (error.message.endsWith('exceeded max depth')) throw yamlTooDeep();
    return undefined;
  }
}

async function jsonOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { yamlToJson } = await import('./yaml-document.ts');
  return Buffer.from(yamlToJson(Buffer.from(bytes).toString()));
}
