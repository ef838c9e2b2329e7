// SPDX-License-Identifier: Apache-2.0

type Said = readonly [field: string, message: string];

/** A rule about ControlPlanes: what violates it, and the messages of the webhook and the schema. */
export interface AdmissionCase {
  /** Completes "a ControlPlane with …". */
  name: string;
  /** Applied to the valid fixture as a merge patch. */
  change: object;
  /** Applied before, when the rule is about a change. */
  before?: object;
  /** The webhook's error: field, then message. */
  webhook: Said;
  /** The schema's error: field, then part of the message. Undefined when the schema cannot express the rule. */
  schema: Said | undefined;
}

/** The value in its place below `spec`. */
export function spec(field: string, value: unknown): object {
  const path = `spec.${field}`.split('.');
  return path.reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object;
}

export const invalid = (field: string, value: unknown, detail: string): Said => [
  `spec.${field}`,
  `Invalid value: ${JSON.stringify(value)}: ${detail}`,
];

export const required = (field: string, detail: string): Said => [`spec.${field}`, `Required value: ${detail}`];

/** The same field and detail from both. */
export function same(name: string, change: object, [field, message]: Said): AdmissionCase {
  const detail = message.replace(/^(?:Invalid value: .*?|Required value): /s, '');
  return { name, change, webhook: [field, message], schema: [field, detail] };
}

/** A change of a field that must not change. */
export const immutable = (name: string, field: string, value: unknown, detail: string): AdmissionCase => ({
  ...same(name, spec(field, value), invalid(field, value, detail)),
  before: {},
});
