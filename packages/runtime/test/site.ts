// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kind.ts';
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
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.String(),
          status: Type.Union([Type.Literal('True'), Type.Literal('False'), Type.Literal('Unknown')]),
          reason: Type.String(),
          message: Type.String(),
          lastTransitionTime: Type.String(),
          observedGeneration: Type.Optional(Type.Integer()),
        }),
      ),
    ),
  }),
});
export type Site = ObjectOf<typeof Site>;

/** What the steps of tests use from outside. */
export interface Services {
  prefix: string;
}
