// SPDX-License-Identifier: Apache-2.0

/**
 * A structural schema: the subset of JSON Schema that Kubernetes supports, with its extensions. Built-in kinds and CRDs
 * both use it. References are resolved when definitions are loaded; a schema has none.
 */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: readonly string[];
  default?: unknown;
  /** The Go zero value of the field, in built-in kinds only. */
  zero?: unknown;
  /** Whether Go omits the field when it is zero: `omitempty` and not a pointer. */
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

/** A CEL rule. */
export interface ValidationRule {
  /** `self` is the value, `oldSelf` the old one; rules with `oldSelf` are evaluated on updates only. */
  rule: string;
  message?: string;
  /** Computes the message; `message` is the fallback. */
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field to report, below the value: `.host`. */
  fieldPath?: string;
  /** Evaluates the rule on creation as well; `oldSelf` is then an optional. */
  optionalOldSelf?: boolean;
}
