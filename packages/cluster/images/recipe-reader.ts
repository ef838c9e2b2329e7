// SPDX-License-Identifier: Apache-2.0

/** Reads fields of a parsed recipe; an error names the file, the field and the remedy. */
export interface RecipeReader {
  /** The value of a field; undefined when it is absent. */
  field(name: string): RecipeReader | undefined;
  /** The value of a required field. */
  required(name: string): RecipeReader;
  /** Checks that the value is a mapping with these fields only. */
  only(...names: string[]): RecipeReader;
  /** The entries of a mapping. */
  entries(): [string, RecipeReader][];
  text(): string;
  /** A non-negative integer. */
  number(): number;
  strings(): string[];
  /** Rejects the value. */
  fail(remedy: string): never;
}

/** Reads a value of a file, at this field. */
export function recipeReader(file: string, value: unknown, path = ''): RecipeReader {
  const fail = (remedy: string): never => {
    throw new Error(`recipe ${file}: ${path === '' ? 'the file' : path} ${remedy}`);
  };
  const inside = (name: string, inner: unknown) => recipeReader(file, inner, path === '' ? name : `${path}.${name}`);
  const mapping = (): Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : fail('must be a mapping of fields to values');

  const reader: RecipeReader = {
    field: (name) => (Object.hasOwn(mapping(), name) ? inside(name, mapping()[name]) : undefined),
    required: (name) => reader.field(name) ?? inside(name, undefined).fail('is missing: add it'),
    only(...names) {
      const other = Object.keys(mapping()).find((name) => !names.includes(name));
      if (other !== undefined) inside(other, undefined).fail(`is unknown: use ${names.join(', ')}`);
      return reader;
    },
    entries: () => Object.entries(mapping()).map(([name, inner]) => [name, inside(name, inner)]),
    text: () =>
      typeof value === 'string' && value !== '' ? value : fail('must be a text that is not empty: quote it'),
    number: () => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : fail('must be a number from 0 on')),
    strings() {
      const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
      return isList ? (value as string[]) : fail('must be a list of texts: quote each of them');
    },
    fail,
  };
  return reader;
}
