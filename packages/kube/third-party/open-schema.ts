// SPDX-License-Identifier: Apache-2.0
import { Type, type TProperties, type TObject } from 'typebox';
import type { Schema } from '../schema/schema.ts';

/** An object with a schema for these fields only; other fields are preserved. */
export function openObject<P extends TProperties>(properties: P, annotations: Schema = {}): TObject<P> {
  return Type.Object(properties, { ...annotations, 'x-kubernetes-preserve-unknown-fields': true });
}

/** A duration in Go's notation: `1h0m0s`. */
export function duration(annotations: Schema = {}) {
  return Type.Optional(Type.String({ ...annotations, format: 'duration' }));
}

/** Fields of a spec that cannot be set, changed or unset, as the webhooks of the real operators enforce. */
export function immutable(...fields: readonly string[]): Pick<Schema, 'x-kubernetes-validations'> {
  return {
    'x-kubernetes-validations': fields.map((field) => ({
      rule: `has(self.${field}) ? has(oldSelf.${field}) && self.${field} == oldSelf.${field} : !has(oldSelf.${field})`,
      message: `'spec.${field}' field is immutable`,
      fieldPath: `.${field}`,
    })),
  };
}
