// SPDX-License-Identifier: Apache-2.0
import {
  isScalar,
  parseAllDocuments,
  visit,
  type Document,
  type DocumentOptions,
  type ParseOptions,
  type SchemaOptions,
  type YAMLParseError,
} from 'yaml';
import { yamlTooDeep } from './json-syntax-error.ts';

const isOfJson = /:(?:map|merge|seq|str|null|bool|int|float)$/;

/** YAML as Kubernetes reads it: version 1.1 with JSON types only, and no sexagesimal numbers. */
const dialect: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || (isOfJson.test(tag.tag) && tag.format !== 'TIME')),
  // The library would compare each key with all others, and format every error.
  uniqueKeys: false,
  prettyErrors: false,
};

/** The JSON text of the first YAML document; throws a SyntaxError with the message of Go's parser. */
export function yamlToJson(text: string): string {
  try {
    // Further documents are ignored.
    const [document] = parseAllDocuments(text, dialect);
    if (document === undefined || !('errors' in document)) return 'null';
    const [error] = document.errors;
    if (error !== undefined) throw new SyntaxError(problemOf(error, text), { cause: error });
    const duplicate = duplicateKey(document);
    if (duplicate !== undefined)
      throw new SyntaxError(`yaml: line ${lineAt(text, duplicate)}: Map keys must be unique`);
    return JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    // A stack overflow in the parser means the depth limit is exceeded.
    if (error instanceof RangeError) throw yamlTooDeep();
    throw new SyntaxError(`yaml: line 1: ${(error as Error).message}`, { cause: error });
  }
}

/** The position of the first duplicate key; undefined when there is none. */
function duplicateKey(document: Document): number | undefined {
  let position: number | undefined;
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) {
          position = (isScalar(key) ? key.range?.[0] : undefined) ?? 0;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return position;
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The error message of Go's YAML parser. */
function problemOf({ code, pos, message }: YAMLParseError, text: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return yamlTooDeep().message;
  const line = lineAt(text, pos[0]);
  if (code === 'TAB_AS_INDENT') return `yaml: line ${line}: found a tab character that violates indentation`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'yaml: mapping values are not allowed in this context';
  if (code !== 'BAD_INDENT' && code !== 'MISSING_CHAR') return `yaml: line ${line}: ${message}`;
  const where = `yaml: line ${Math.max(1, line - 1)}: did not find expected`;
  const before = text.slice(0, pos[0]).trimEnd();
  if (/[[{,]$/.test(before)) return `${where} node content`;
  return `${where} ',' or '${message.includes('}') ? '}' : ']'}'`;
}
