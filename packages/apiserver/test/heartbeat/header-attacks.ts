// SPDX-License-Identifier: Apache-2.0
import { configMaps, filled, numbered, reviews, type Attack } from './attack.ts';

function get(name: string, path: string, headers: Attack['headers'] = {}, by: Attack['by'] = 'nobody'): Attack {
  return { name: `request: ${name}`, by, method: 'GET', path, headers };
}

/** A header or query is shorter: Go's limit for all of them is 1 MiB. */
const long = 900_000;

/** Headers, queries and paths. */
export const headerAttacks: readonly Attack[] = [
  get('media types', '/api', { accept: numbered((index) => `a/${index}`, ',', long) }),
  get('media types, empty', '/api', { accept: filled(',', long) }),
  get('parameters of a media type', '/api', {
    accept: `application/json;${numbered((index) => `a${index}=b`, ';', long)}`,
  }),
  get('media types, encoded', '/api', {
    accept: `application/yaml;as=b,${numbered((index) => `a/${index};a=b`, ',', long)}`,
  }),
  get(
    'media types of a watch',
    `${configMaps}?watch=true&timeoutSeconds=1`,
    { accept: numbered((index) => `a/${index};as=Table`, ',', long) },
    'editor',
  ),
  get('spaces of a media type', '/api', { accept: `a${filled(' ', long)}b` }),
  get('a token', '/api', { authorization: `Bearer ${filled('a.', long)}` }),
  get('a token of three long parts', '/api', {
    authorization: `Bearer ${[1, 2, 3].map(() => filled('a', long / 3)).join('.')}`,
  }),
  get('spaces in the authorization', '/api', { authorization: `Bearer${filled(' ', long)}a` }),
  get('words of the authorization', '/api', { authorization: filled('a ', long) }),
  get('an impersonated user', '/api', { 'impersonate-user': filled('a', long) }),
  get('impersonated groups', '/api', { 'impersonate-user': 'a', 'impersonate-group': filled('a,', long) }),
  get('an impersonated attribute', '/api', {
    'impersonate-user': 'a',
    [`impersonate-extra-${'%41'.repeat(10_000)}`]: 'a',
  }),
  get('a user agent', `${configMaps}?limit=1`, { 'user-agent': filled('a/', long) }, 'editor'),
  get('a path', `/api${filled('/a', long)}`),
  get('an encoded path', `/api/v1/${filled('%41', long)}`),
  get('an invalid encoded path', `/api/v1/${filled('%4', long)}`),
  get('a name', `${configMaps}/${filled('a', long)}`, {}, 'editor'),
  get('parameters', `/api?${numbered((index) => `a${index}=b`, '&', long)}`),
  get('equal parameters', `/api?${filled('a&', long)}`),
  get('a label selector', `${configMaps}?labelSelector=${numbered((index) => `a${index}=b`, ',', long)}`, {}, 'editor'),
  get(
    'a label selector of values',
    `${configMaps}?labelSelector=a+in+(${numbered((index) => `b${index}`, ',', long)})`,
    {},
    'editor',
  ),
  get('a label selector of parentheses', `${configMaps}?labelSelector=a+in+${filled('(', long)}`, {}, 'editor'),
  get('a label selector of spaces', `${configMaps}?labelSelector=a${filled('+', long)}b`, {}, 'editor'),
  get('an invalid label selector', `${configMaps}?labelSelector=${filled('!', long)}`, {}, 'editor'),
  get('a field selector', `${configMaps}?fieldSelector=${numbered(() => 'metadata.name=b', ',', long)}`, {}, 'editor'),
  get(
    'a field selector of unknown fields',
    `${configMaps}?fieldSelector=${numbered((index) => `a${index}=b`, ',', long)}`,
    {},
    'editor',
  ),
  get(
    'a field selector of backslashes',
    `${configMaps}?fieldSelector=metadata.name=${filled('%5C', long)}`,
    {},
    'editor',
  ),
  get('a continue token', `${configMaps}?limit=1&continue=${filled('a', long)}`, {}, 'editor'),
  get('a resource version', `${configMaps}?resourceVersion=${filled('1', long)}`, {}, 'editor'),
  get('a manager', `${configMaps}?fieldManager=${filled('a', long)}`, {}, 'editor'),
  {
    name: 'request: a content type',
    by: 'nobody',
    method: 'POST',
    path: reviews,
    headers: { 'content-type': `application/json;${filled('a=b;', long)}` },
    body: () => '{}',
  },
  {
    name: 'request: a manager of a write',
    by: 'editor',
    method: 'POST',
    path: `${configMaps}?fieldManager=${filled('a', long)}`,
    headers: { 'content-type': 'application/json' },
    body: () => '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"}}',
  },
  {
    name: 'request: dry runs',
    by: 'editor',
    method: 'POST',
    path: `${configMaps}?${filled('dryRun=All&', long)}`,
    headers: { 'content-type': 'application/json' },
    body: () => '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"}}',
  },
  {
    name: 'request: options of a deletion',
    by: 'editor',
    method: 'DELETE',
    path: `${configMaps}/none`,
    headers: { 'content-type': 'application/json' },
    body: () => `{"kind":"DeleteOptions","apiVersion":"v1",${numbered((index) => `"a${index}":1`)}}`,
  },
];
