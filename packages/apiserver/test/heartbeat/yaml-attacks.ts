// SPDX-License-Identifier: Apache-2.0
import { configMaps, filled, lines, numbered, reviews, size, things, type Attack } from './attack.ts';

function yaml(name: string, body: () => string): Attack {
  return { name: `YAML: ${name}`, by: 'nobody', status: outcomes, method: 'POST', path: reviews, headers, body };
}

/** Whether a text is parsed before its time is over depends on the machine. */
const outcomes = [400, 413, 422];

const headers = { 'content-type': 'application/yaml' };
const start = 'kind: SelfSubjectAccessReview\napiVersion: authorization.k8s.io/v1\n';

/** YAML texts that are hard to parse; a user without permissions can send each. */
export const yamlAttacks: readonly Attack[] = [
  yaml('commas', () => `[${filled(',')}`),
  yaml('brackets', () => filled('[')),
  yaml('closing brackets', () => filled(']')),
  yaml('braces', () => filled('{')),
  yaml('nested flow maps', () => `a: ${filled('{a: ', 9000 * 4)}`),
  yaml('quotes', () => filled('"')),
  yaml('apostrophes', () => filled("'")),
  yaml('unclosed quotes', () => `a: "${filled('a')}`),
  yaml('quoted line breaks', () => `a: "${filled('\n\n')}"`),
  yaml('escapes', () => `a: "${filled(String.raw`\u0041`)}"`),
  yaml('keys', () => start + lines((index) => `k${index}: 1`)),
  yaml('keys of a flow map', () => `{${numbered((index) => `k${index}: 1`)}}`),
  yaml('equal keys', () => filled('a: 1\n')),
  yaml('explicit keys', () => filled('? a\n')),
  yaml('items', () => `a:\n${filled('- 1\n')}`),
  yaml('compact nested lists', () => filled('- ')),
  yaml('nested keys', () => filled('a: ')),
  yaml('nested by indentation', () => Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')),
  yaml('anchors', () => lines((index) => `k${index}: &a${index} 1`)),
  yaml('aliases', () => `a: &a 1\nb: [${numbered(() => '*a')}]`),
  yaml('aliases of aliases', () => bomb(20)),
  yaml(
    'one large anchor, many aliases',
    () => `a: &a [${numbered(() => '1', ',', size / 2)}]\nb: [${filled('*a,', 600)}]`,
  ),
  yaml('unknown aliases', () => `[${numbered((index) => `*a${index}`)}]`),
  yaml('merge keys', () => `a: &a {b: 1}\n${lines((index) => `k${index}: {<<: *a}`)}`),
  yaml('tags', () => lines(() => '- !!str a')),
  yaml('unknown tags', () => lines((index) => `- !t${index} a`)),
  yaml('directives', () => `${lines((index) => `%TAG !e${index}! tag:a,2000:`)}\n--- a`),
  yaml('comments', () => filled('#\n')),
  yaml('spaces', () => `a:${filled(' ')}1`),
  yaml('tabs', () => `a:\n${filled('\t')}`),
  yaml('line breaks', () => filled('\n')),
  yaml('documents', () => filled('---\n')),
  yaml('document ends', () => filled('...\n')),
  yaml('a block scalar', () => `a: |\n${filled(' b\n')}`),
  yaml('a folded scalar', () => `a: >\n${filled(' b\n\n')}`),
  yaml('block scalars', () => lines((index) => `k${index}: |\n b`)),
  yaml('a plain scalar of many lines', () => `a: b\n${filled(' b\n')}`),
  yaml('numbers', () => `a: ${filled('1')}`),
  yaml('underscores in a number', () => `a: 1${filled('_')}.`),
  yaml('colons', () => filled(':')),
  yaml('dashes', () => filled('-')),
  yaml('question marks', () => filled('? ')),
  yaml('percent signs', () => filled('%')),
  yaml('ampersands', () => filled('& ')),
  yaml('control characters', () => filled('\u0001')),
  yaml('a review', () => `${start}spec:\n  resourceAttributes:\n    name: ${filled('a')}`),
  {
    name: 'YAML: aliases of a long text',
    by: 'editor',
    status: 413,
    method: 'POST',
    path: configMaps,
    headers,
    body: () =>
      `kind: ConfigMap\napiVersion: v1\nmetadata: {generateName: a}\ndata:\n    a: &a ${'a'.repeat(30_000)}\n${aliases(90)}`,
  },
  {
    name: 'YAML: aliases of a list, applied',
    by: 'editor',
    status: 201,
    method: 'PATCH',
    path: `${things}/a?fieldManager=a`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: () =>
      `apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  free:\n    a: &a [${'{a: 1},'.repeat(500)}]\n${aliases(90)}`,
  },
  {
    name: 'YAML: keys of an applied object',
    status: outcomes,
    by: 'editor',
    method: 'PATCH',
    path: `${things}/a?fieldManager=a`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: () =>
      `apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  free:\n${lines((index) => `    k${index}: 1`)}`,
  },
];

/** Fields that repeat the anchor. */
function aliases(count: number): string {
  return Array.from({ length: count }, (_, index) => `    k${index}: *a`).join('\n');
}

/** Lists that contain the one before ten times. */
function bomb(levels: number): string {
  const lists = Array.from({ length: levels }, (_, level) => {
    return `a${level + 1}: &a${level + 1} [${Array.from({ length: 10 }, () => `*a${level}`).join(', ')}]`;
  });
  return ['a0: &a0 lol', ...lists, `padding: ${'a'.repeat(8192)}`].join('\n');
}
