// SPDX-License-Identifier: Apache-2.0
import { optionalName, text } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

/** Volumes of the pods. */
export const storage = Type.Object(
  {
    size: Type.String({
      description:
        'Size of the volume of each pod, for example 10Gi. It cannot be changed once the cluster is initialised.',
      minLength: 1,
      maxLength: 64,
      ...rule(
        "isQuantity(self) && quantity(self).isGreaterThan(quantity('0'))",
        'must be a quantity greater than 0, for example 10Gi',
      ),
    }),
    storageClassName: Type.Optional(
      text(
        optionalName,
        "StorageClass of the volumes; the cluster's default when absent or empty. It cannot be changed once the cluster is initialised.",
      ),
    ),
  },
  { description: 'Volumes of the pods.' },
);
