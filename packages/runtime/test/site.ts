// SPDX-License-Identifier: Apache-2.0
import { definitionSchema } from '@forge/kube/kind-schema.ts';
import { kind, type ObjectOf } from '@forge/kube/kind.ts';
import type { Condition } from '@forge/kube/object.ts';
import { embedded } from '@forge/kube/schema-types.ts';
import { Type } from 'typebox';

/** A small resource for tests of the step engine. */
export const Site = kind({
  group: 'test.forge.c5c3.io',
  version: 'v1',
  kind: 'Site',
  plural: 'sites',
  description: 'A site.',
  spec: Type.Object({
    text: Type.Optional(Type.String()),
    secret: Type.Optional(Type.String()),
  }),
  status: Type.Object({
    url: Type.Optional(Type.String()),
    conditions: Type.Optional(Type.Array(embedded<Condition>(definitionSchema('Condition')))),
  }),
});
export type Site = ObjectOf<typeof Site>;

/** What the steps of tests use from outside. */
export interface Services {
  prefix: string;
}
