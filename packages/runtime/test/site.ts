// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import type { Services as OutsideServices } from '../steps/step.ts';

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
    observedGeneration: Type.Optional(Type.Integer()),
    url: Type.Optional(Type.String()),
    failed: Type.Optional(Type.Object({ key: Type.String(), problem: Type.Optional(Type.String()) })),
    conditions: conditions(),
  }),
});
export type Site = ObjectOf<typeof Site>;

/** What the steps of tests use from outside. */
export type Services = OutsideServices<{ prefix: string }, { publish: (text: string) => Promise<void> }>;

/** Services that do nothing. */
export const noServices: Services = { reading: { prefix: 'tls' }, acting: { publish: async () => {} } };
