// SPDX-License-Identifier: Apache-2.0
import { isObject } from '../objects/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { CustomResourceDefinition } from './builtin.ts';
import type { Kind } from './kind.ts';

/** The CustomResourceDefinition of the kind. */
export function crdOf(kind: Kind): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}`, ...(isProtected(kind.group) && { annotations: unapproved }) },
    spec: {
      group: kind.group,
      scope: kind.scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames.length > 0 && { shortNames: [...kind.shortNames] }),
        ...(kind.categories.length > 0 && { categories: [...kind.categories] }),
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: crdSchema(kind.schema) },
          ...(kind.subresources.includes('status') && {
            subresources: { status: {}, ...(kind.scale !== undefined && { scale: kind.scale }) },
          }),
          ...(kind.printerColumns.length > 0 && { additionalPrinterColumns: [...kind.printerColumns] }),
        },
      ],
    },
  };
}

/** API servers refuse definitions in groups of the Kubernetes community without this annotation. */
const unapproved = { 'api-approved.kubernetes.io': 'unapproved, an excerpt for development and tests' };

function isProtected(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

/** The schema without the extensions that only built-in kinds have. */
function crdSchema(schema: Schema): Schema {
  const {
    'x-kubernetes-patch-strategy': _strategy,
    'x-kubernetes-patch-merge-key': _mergeKey,
    zero,
    omitsZero: _omitsZero,
    default: value,
    format,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema;
  return {
    ...rest,
    // The zero value of a Go struct is not a default.
    ...(value !== undefined && !isObject(zero) && { default: value }),
    ...(format !== undefined && rest['x-kubernetes-int-or-string'] !== true && { format }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, crdSchema(child)])),
    }),
    ...(items !== undefined && { items: crdSchema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? crdSchema(additionalProperties) : additionalProperties,
    }),
  };
}
