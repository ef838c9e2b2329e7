// SPDX-License-Identifier: Apache-2.0

const text = { type: 'string' };
/** Fields of every type. */
const spec = {
  type: 'object',
  properties: {
    map: {
      type: 'array',
      items: { type: 'object', properties: { name: text, value: text }, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    patterns: { type: 'array', items: { type: 'string', pattern: '^(([a-z]+)|([a-z0-9]+))*$|^(a|aa)+$|^.*b.{20}$' } },
    enums: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    dates: { type: 'array', items: { type: 'string', format: 'date-time' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ruled: {
      type: 'array',
      maxItems: 1_000_000,
      items: { type: 'string', maxLength: 10 },
      'x-kubernetes-validations': [{ rule: "self.all(each, each != 'b')" }],
    },
    ruledMap: {
      type: 'object',
      maxProperties: 1_000_000,
      additionalProperties: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.all(key, self[key] > 0)' }],
    },
    ruledItems: {
      type: 'array',
      maxItems: 1_000_000,
      items: {
        type: 'object',
        properties: { a: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.a < 0' }],
      },
    },
    defaults: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'object', default: {}, properties: { b: { type: 'string', default: 'b' } } } },
      },
    },
  },
};

const properties = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`p${index}`, text]));

/** The definition of a custom resource. */
function definition(plural: string, kind: string, schema: object): object {
  const openAPIV3Schema = { type: 'object', properties: { spec: schema } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions },
  };
}

/** CustomResourceDefinitions: one with fields of every type, and one with many fields. */
export const crds: readonly object[] = [
  definition('things', 'Thing', spec),
  definition('larges', 'Large', { type: 'object', properties }),
];
