// SPDX-License-Identifier: Apache-2.0
import { Type, type TProperties, type TObject } from 'typebox';
import type { Schema } from '../schema/schema.ts';

/** An object of which only these fields are described; the rest is kept as it is. */
export function openObject<P extends TProperties>(properties: P, annotations: Schema = {}): TObject<P> {
  return Type.Object(properties, { ...annotations, 'x-kubernetes-preserve-unknown-fields': true });
}

/** Go's notation of a span of time: `1h0m0s`. */
export function duration(annotations: Schema = {}) {
  return Type.Optional(Type.String({ ...annotations, format: 'duration' }));
}

/** Immutable fields of a spec, set or unset: what webhooks of the real operators enforce. */
export function immutable(...fields: readonly string[]): Pick<Schema, 'x-kubernetes-validations'> {
  return {
    'x-kubernetes-validations': fields.map((field) => ({
      rule: `has(self.${field}) ? has(oldSelf.${field}) && self.${field} == oldSelf.${field} : !has(oldSelf.${field})`,
      message: `'spec.${field}' field is immutable`,
      fieldPath: `.${field}`,
    })),
  };
}
