// SPDX-License-Identifier: Apache-2.0

/** A bad request. */
export interface BadRequest {
  method: string;
  path: string;
  type: string;
  body: string;
  /** The expected status code. */
  status: number;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const json = 'application/json';

function definition(schema: object): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
}

function post(status: number, body: string, path = configMaps, type = json): BadRequest {
  return { method: 'POST', path, type, body, status };
}

function ruled(rule: string): string {
  const list = { type: 'array', items: { type: 'string' } };
  return definition({ type: 'object', properties: { list }, 'x-kubernetes-validations': [{ rule }] });
}

/** One of each kind of bad request. */
export const badRequests: readonly BadRequest[] = [
  post(400, '{"kind": '),
  post(400, 'kind: [', configMaps, 'application/yaml'),
  post(400, '[]'),
  post(400, '{"kind":"Secret","apiVersion":"v1"}'),
  post(400, '{"kind":"ConfigMap","apiVersion":"v1","metadata":7}'),
  post(400, '{"metadata":{"name":"a"},"odd":1}', `${configMaps}?fieldValidation=Strict`),
  post(415, '{}', configMaps, 'text/plain'),
  post(404, '{}', '/api/v1/namespaces/default/nothings'),
  post(422, definition({ properties: { spec: {} } }), definitions),
  post(422, ruled('self.nothing =='), definitions),
  post(422, ruled('self.list.all(a, self.list.all(b, self.list.all(c, a + b != c)))'), definitions),
  {
    method: 'PATCH',
    path: '/api/v1/namespaces/default/serviceaccounts/default',
    type: 'application/json-patch+json',
    body: '{}',
    status: 400,
  },
  { method: 'DELETE', path: `${configMaps}/a`, type: json, body: '{"propagationPolicy":"?"}', status: 422 },
];

const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

/** Large bad requests. */
export const largeRequests: readonly BadRequest[] = [
  post(400, deep),
  post(400, deep, configMaps, 'application/yaml'),
  post(413, 'x'.repeat(3 * 1024 * 1024 + 1)),
];
