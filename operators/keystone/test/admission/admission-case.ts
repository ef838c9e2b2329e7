// SPDX-License-Identifier: Apache-2.0

/** A rule about Keystones: what violates it, and the messages of the webhook and the schema. */
export interface AdmissionCase {
  /** Completes "a Keystone with …". */
  name: string;
  /** Applied to the valid fixture as a merge patch. */
  change: object;
  /** Applied before, when the rule is about a change. */
  before?: object;
  /** The webhook's error: field, then message. */
  webhook: readonly [field: string, message: string];
  /** The schema's error: field, then part of the message. Undefined when the schema cannot express the rule. */
  schema: readonly [field: string, part: string] | undefined;
}

type Said = readonly [field: string, message: string];

export const spec = (change: object) => ({ spec: change });

/** The same field and detail from both. */
export function same(name: string, change: object, [field, message]: Said): AdmissionCase {
  const detail = message.replace(/^(?:Invalid value: .*?|Required value): /s, '');
  return { name, change, webhook: [field, message], schema: [field, detail] };
}

export const invalid = (field: string, value: unknown, detail: string): Said => [
  field,
  `Invalid value: ${JSON.stringify(value)}: ${detail}`,
];

/** A number below its minimum. */
export function tooSmall(field: string, value: number, minimum: number, detail: string): AdmissionCase {
  const change = path(field, value);
  const inBody = `${field} in body should be greater than or equal to ${minimum}`;
  return { name: `${field} of ${value}`, change, webhook: invalid(field, value, detail), schema: [field, inBody] };
}

/** The value in its place. */
export function path(field: string, value: unknown): object {
  return field.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object;
}

/** A text that breaks the rule of its field. */
export const text = (field: string, value: string, detail: string) =>
  same(`${field} "${value}"`, path(field, value), invalid(field, value, detail));

/** The rule of names of objects. */
export const nameRule =
  'must be the name of an object: lower-case letters, digits, - and ., beginning and ending with a letter or digit';
