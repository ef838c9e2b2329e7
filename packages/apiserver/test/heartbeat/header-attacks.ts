// SPDX-License-Identifier: Apache-2.0
import { configMaps, filled, numbered, reviews, type Attack } from './attack.ts';

function get(
  status: number,
  name: string,
  path: string,
  headers: Attack['headers'] = {},
  by: Attack['by'] = 'nobody',
): Attack {
  return { name: `request: ${name}`, by, status, method: 'GET', path, headers };
}

/** A header or query is shorter: Go's limit for all of them is 1 MiB. */
const long = 900_000;

/** Headers, queries and paths. */
export const headerAttacks: readonly Attack[] = [
  get(431, 'media types', '/api', { accept: numbered((index) => `a/${index}`, ',', long) }),
  get(431, 'media types, empty', '/api', { accept: filled(',', long) }),
  get(431, 'parameters of a media type', '/api', {
    accept: `application/json;${numbered((index) => `a${index}=b`, ';', long)}`,
  }),
  get(431, 'media types, encoded', '/api', {
    accept: `application/yaml;as=b,${numbered((index) => `a/${index};a=b`, ',', long)}`,
  }),
  get(
    431,
    'media types of a watch',
    `${configMaps}?watch=true&timeoutSeconds=1`,
    { accept: numbered((index) => `a/${index};as=Table`, ',', long) },
    'editor',
  ),
  get(431, 'spaces of a media type', '/api', { accept: `a${filled(' ', long)}b` }),
  get(431, 'a token', '/api', { authorization: `Bearer ${filled('a.', long)}` }),
  get(431, 'a token of three long parts', '/api', {
    authorization: `Bearer ${[1, 2, 3].map(() => filled('a', long / 3)).join('.')}`,
  }),
  get(431, 'spaces in the authorization', '/api', { authorization: `Bearer${filled(' ', long)}a` }),
  get(431, 'words of the authorization', '/api', { authorization: filled('a ', long) }),
  get(431, 'an impersonated user', '/api', { 'impersonate-user': filled('a', long) }),
  get(431, 'impersonated groups', '/api', { 'impersonate-user': 'a', 'impersonate-group': filled('a,', long) }),
  get(403, 'an impersonated attribute', '/api', {
    'impersonate-user': 'a',
    [`impersonate-extra-${'%41'.repeat(10_000)}`]: 'a',
  }),
  get(431, 'a user agent', `${configMaps}?limit=1`, { 'user-agent': filled('a/', long) }, 'editor'),
  get(404, 'a path', `/api${filled('/a', long)}`),
  get(403, 'an encoded path', `/api/v1/${filled('%41', long)}`),
  get(403, 'an invalid encoded path', `/api/v1/${filled('%4', long)}`),
  get(404, 'a name', `${configMaps}/${filled('a', long)}`, {}, 'editor'),
  get(400, 'parameters', `/api?${numbered((index) => `a${index}=b`, '&', long)}`),
  get(400, 'equal parameters', `/api?${filled('a&', long)}`),
  get(
    400,
    'a label selector',
    `${configMaps}?labelSelector=${numbered((index) => `a${index}=b`, ',', long)}`,
    {},
    'editor',
  ),
  get(
    400,
    'a label selector of values',
    `${configMaps}?labelSelector=a+in+(${numbered((index) => `b${index}`, ',', long)})`,
    {},
    'editor',
  ),
  get(400, 'a label selector of parentheses', `${configMaps}?labelSelector=a+in+${filled('(', long)}`, {}, 'editor'),
  get(400, 'a label selector of spaces', `${configMaps}?labelSelector=a${filled('+', long)}b`, {}, 'editor'),
  get(400, 'an invalid label selector', `${configMaps}?labelSelector=${filled('!', long)}`, {}, 'editor'),
  get(
    400,
    'a field selector',
    `${configMaps}?fieldSelector=${numbered(() => 'metadata.name=b', ',', long)}`,
    {},
    'editor',
  ),
  get(
    400,
    'a field selector of unknown fields',
    `${configMaps}?fieldSelector=${numbered((index) => `a${index}=b`, ',', long)}`,
    {},
    'editor',
  ),
  get(
    200,
    'a field selector of backslashes',
    `${configMaps}?fieldSelector=metadata.name=${filled('%5C', long)}`,
    {},
    'editor',
  ),
  get(400, 'a continue token', `${configMaps}?limit=1&continue=${filled('a', long)}`, {}, 'editor'),
  get(504, 'a resource version', `${configMaps}?resourceVersion=${filled('1', long)}`, {}, 'editor'),
  get(200, 'a manager', `${configMaps}?fieldManager=${filled('a', long)}`, {}, 'editor'),
  {
    name: 'request: a content type',
    status: 431,
    by: 'nobody',
    method: 'POST',
    path: reviews,
    headers: { 'content-type': `application/json;${filled('a=b;', long)}` },
    body: () => '{}',
  },
  {
    name: 'request: a manager of a write',
    status: 422,
    by: 'editor',
    method: 'POST',
    path: `${configMaps}?fieldManager=${filled('a', long)}`,
    headers: { 'content-type': 'application/json' },
    body: () => '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"}}',
  },
  {
    name: 'request: dry runs',
    status: 400,
    by: 'editor',
    method: 'POST',
    path: `${configMaps}?${filled('dryRun=All&', long)}`,
    headers: { 'content-type': 'application/json' },
    body: () => '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"}}',
  },
  {
    name: 'request: options of a deletion',
    status: 404,
    by: 'editor',
    method: 'DELETE',
    path: `${configMaps}/none`,
    headers: { 'content-type': 'application/json' },
    body: () => `{"kind":"DeleteOptions","apiVersion":"v1",${numbered((index) => `"a${index}":1`)}}`,
  },
];
