// SPDX-License-Identifier: Apache-2.0
import type { ParseOptions, DocumentOptions, SchemaOptions, YAMLParseError } from 'yaml';
import { maxDepth } from './json-syntax-error.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';

/** Parses YAML; throws a SyntaxError with the message of Go's parser. */
export async function parseYaml(bytes: Uint8Array): Promise<ParsedJson> {
  // Most bodies sent as YAML are JSON: the YAML parser is loaded only for others.
  try {
    return parseJson(bytes);
  } catch (error) {
    if ((error as Error).message.endsWith('exceeded max depth')) throw tooDeep();
  }
  const text = Buffer.from(bytes).toString();
  const { parseAllDocuments } = await import('yaml');
  try {
    // Further documents are ignored.
    const [document] = parseAllDocuments(text, dialect);
    const [error] = document?.errors ?? [];
    if (error !== undefined) throw error;
    return { value: (document?.toJS({ maxAliasCount: 100 }) ?? null) as unknown, hasDuplicates: false };
  } catch (error) {
    // A stack overflow in the parser means the depth limit is exceeded.
    if (error instanceof RangeError) throw tooDeep();
    throw new SyntaxError(problemOf(error as Error, text), { cause: error });
  }
}

const isOfJson = /:(?:map|merge|seq|str|null|bool|int|float)$/;

/** YAML as Kubernetes reads it: version 1.1 with JSON types only, and no sexagesimal numbers. */
const dialect: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || (isOfJson.test(tag.tag) && tag.format !== 'TIME')),
};

function tooDeep(): SyntaxError {
  return new SyntaxError(`yaml: exceeded max depth of ${maxDepth}`);
}

/** The error message of Go's YAML parser. */
function problemOf(error: Error, text: string): string {
  const { code, linePos, pos } = error as Partial<YAMLParseError>;
  const line = linePos?.[0].line ?? 1;
  if (code === 'TAB_AS_INDENT') return `yaml: line ${line}: found a tab character that violates indentation`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'yaml: mapping values are not allowed in this context';
  if (code !== 'BAD_INDENT' && code !== 'MISSING_CHAR') {
    return `yaml: line ${line}: ${error.message.split(' at line ', 1)[0]}`;
  }
  const where = `yaml: line ${Math.max(1, line - 1)}: did not find expected`;
  const before = text.slice(0, pos?.[0]).trimEnd();
  if (/[[{,]$/.test(before)) return `${where} node content`;
  return `${where} ',' or '${error.message.includes('}') ? '}' : ']'}'`;
}
