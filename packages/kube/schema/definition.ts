// SPDX-License-Identifier: Apache-2.0
import type { Schema } from './schema.ts';

/** A schema as the generated file keeps it: other definitions are named, not contained. */
export interface Definition extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  $ref?: string;
  properties?: Record<string, Definition>;
  items?: Definition;
  additionalProperties?: Definition;
}

/** What the API's paths say about a built-in kind. */
export interface KindFacts {
  plural: string;
  scope: 'Namespaced' | 'Cluster';
  subresources: ('status' | 'scale')[];
  /** The definition it has, where that is not called as the kind is. */
  definition?: string;
}
