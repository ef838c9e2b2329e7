// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';

const known = new WeakMap<Schema, Schema>();
const text: Schema = { type: 'string' };

/** The root schema for rules: of the metadata only name and generateName are visible. */
export function resourceSchema(schema: Schema): Schema {
  const ready = known.get(schema);
  if (ready !== undefined) return ready;
  const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata };
  const whole = namesItself(schema) ? schema : { ...schema, properties };
  known.set(schema, whole);
  return whole;
}

function namesItself({ properties = {} }: Schema): boolean {
  const { apiVersion, kind, metadata } = properties;
  const { name, generateName } = metadata?.properties ?? {};
  return (
    metadata?.type === 'object' && [apiVersion, kind, name, generateName].every((field) => field?.type === 'string')
  );
}
