// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

/** A text in a ConfigMap. */
export const Specimen = kind({
  group: 'specimen.c5c3.io',
  version: 'v1alpha1',
  kind: 'Specimen',
  plural: 'specimens',
  description: 'Specimen is a text in a ConfigMap.',
  spec: Type.Object({
    text: Type.Optional(Type.String({ description: 'What the ConfigMap says; without it nothing is written.' })),
  }),
  status: Type.Object({ conditions: conditions() }),
  printerColumns: [
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
export type Specimen = ObjectOf<typeof Specimen>;
