// SPDX-License-Identifier: Apache-2.0
import type { Schema } from './schema.ts';

/** A schema in the generated file, with references to other definitions. */
export interface Definition extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  $ref?: string;
  properties?: Record<string, Definition>;
  items?: Definition;
  additionalProperties?: Definition;
}

/** Facts about a built-in kind from OpenAPI paths. */
export interface KindFacts {
  plural: string;
  scope: 'Namespaced' | 'Cluster';
  subresources: ('status' | 'scale')[];
  /** Its definition, when not named like the kind. */
  definition?: string;
}
