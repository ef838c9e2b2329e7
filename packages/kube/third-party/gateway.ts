// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import { kind, type ObjectOf } from '../kinds/kind.ts';
import { choice, conditions } from '../schema/schema-types.ts';
import { openObject } from './open-schema.ts';

const group = 'gateway.networking.k8s.io';
const objectName = Type.String({ minLength: 1, maxLength: 253 });
const port = Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, format: 'int32' }));

const parentRef = Type.Object({
  group: Type.Optional(Type.String({ default: group, maxLength: 253 })),
  kind: Type.Optional(Type.String({ default: 'Gateway', minLength: 1, maxLength: 63 })),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
  name: objectName,
  sectionName: Type.Optional(objectName),
  port,
});

const path = Type.Object(
  {
    type: Type.Optional(choice(['Exact', 'PathPrefix', 'RegularExpression'], { default: 'PathPrefix' })),
    value: Type.Optional(Type.String({ default: '/', maxLength: 1024 })),
  },
  {
    default: { type: 'PathPrefix', value: '/' },
    'x-kubernetes-validations': [
      {
        rule: "self.type == 'RegularExpression' || self.value.startsWith('/')",
        message: "value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']",
      },
      ...['//', '/./', '/../', '%2f', '%2F', '#'].map((part) => ({
        rule: `self.type == 'RegularExpression' || !self.value.contains('${part}')`,
        message: `must not contain '${part}' when type one of ['Exact', 'PathPrefix']`,
      })),
    ],
  },
);

const backendRef = openObject(
  {
    group: Type.Optional(Type.String({ default: '', maxLength: 253 })),
    kind: Type.Optional(Type.String({ default: 'Service', minLength: 1, maxLength: 63 })),
    name: objectName,
    namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
    port,
    weight: Type.Optional(Type.Integer({ default: 1, minimum: 0, maximum: 1_000_000, format: 'int32' })),
  },
  {
    'x-kubernetes-validations': [
      {
        rule: "!(size(self.group) == 0 && self.kind == 'Service') || has(self.port)",
        message: 'Must have port for Service reference',
      },
    ],
  },
);

function sameOptional(field: string): string {
  return `has(a.${field}) == has(b.${field}) && (!has(a.${field}) || a.${field} == b.${field})`;
}

const everything = [{ path: { type: 'PathPrefix', value: '/' } }];

/** Routes requests by hostname and path from a Gateway to Services. */
export const HTTPRoute = kind({
  group,
  version: 'v1',
  kind: 'HTTPRoute',
  plural: 'httproutes',
  categories: ['gateway-api'],
  description: 'A route from a Gateway to Services.',
  spec: openObject({
    parentRefs: Type.Optional(
      Type.Array(parentRef, {
        maxItems: 32,
        'x-kubernetes-validations': [
          {
            rule: `self.all(a, self.exists_one(b, a.group == b.group && a.kind == b.kind && a.name == b.name && ${sameOptional('__namespace__')} && ${sameOptional('sectionName')}))`,
            message: 'sectionName must be unique when parentRefs includes 2 or more references to the same parent',
          },
        ],
      }),
    ),
    hostnames: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: 253,
          pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
        }),
        { maxItems: 16 },
      ),
    ),
    rules: Type.Optional(
      Type.Array(
        openObject({
          matches: Type.Optional(
            Type.Array(openObject({ path: Type.Optional(path) }), { maxItems: 64, default: everything }),
          ),
          backendRefs: Type.Optional(Type.Array(backendRef, { maxItems: 16 })),
        }),
        { minItems: 1, maxItems: 16, default: [{ matches: everything }] },
      ),
    ),
  }),
  status: Type.Object({
    parents: Type.Array(
      Type.Object({
        parentRef,
        controllerName: Type.String({ minLength: 1, maxLength: 253 }),
        conditions: conditions(),
      }),
      { maxItems: 32 },
    ),
  }),
});
export type HTTPRoute = ObjectOf<typeof HTTPRoute>;
