// SPDX-License-Identifier: Apache-2.0

const keywords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const escapes: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };
const characters: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The escaped name of a field (`a-b` is `a__dash__b`); undefined when it cannot be escaped. */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined;
  if (keywords.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (found) => `__${escapes[found]}__`);
}

/** The field of an escaped name; undefined for an invalid escape. */
export function unescapeName(escaped: string): string | undefined {
  const keyword = /^__([^_]+)__$/.exec(escaped)?.[1];
  if (keyword !== undefined && keywords.has(keyword)) return keyword;
  const known = escaped.matchAll(/__([^_]+)__/g).every(([, inside = '']) => Object.hasOwn(characters, inside));
  return known ? escaped.replaceAll(/__([^_]+)__/g, (_, inside: string) => characters[inside] ?? '') : undefined;
}
