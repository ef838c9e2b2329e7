// SPDX-License-Identifier: Apache-2.0

/**
 * A structural schema: the subset of JSON Schema that Kubernetes knows, with its extensions. Built-in kinds and CRDs
 * share it, so one pipeline serves both. References are resolved when definitions are loaded; a schema holds none.
 */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: readonly string[];
  default?: unknown;
  /** What stands in the field before anybody wrote to it: only where Go structs keep the object, in built-in kinds. */
  zero?: unknown;
  /** Whether the field is left out when it is false, nought or empty: it is no pointer in such a struct. */
  omitsZero?: boolean;
  enum?: readonly unknown[];
  nullable?: boolean;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  not?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: readonly ValidationRule[];
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
}

/** A rule that values must keep, in Kubernetes' expression language (CEL). */
export interface ValidationRule {
  /** Says `self` for the value and `oldSelf` for what it was; what says `oldSelf` is asked only when the value changes. */
  rule: string;
  message?: string;
  /** Makes the message from the value; `message` is what is left when that fails. */
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field to report, below the value: `.host`. */
  fieldPath?: string;
  /** Asks the rule of new values too; `oldSelf` is then an optional. */
  optionalOldSelf?: boolean;
}
