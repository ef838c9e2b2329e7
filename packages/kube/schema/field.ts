// SPDX-License-Identifier: Apache-2.0
import { Type, type TInteger, type TString } from 'typebox';
import { rule } from './schema-types.ts';
import type { Schema } from './schema.ts';

/** A rule for a string and its error message; the pattern has the same meaning in CEL and JavaScript. */
export interface TextRule {
  pattern: string;
  maxLength: number;
  message: string;
}

/** A string that must match a rule. */
export function text({ pattern, maxLength, message }: TextRule, description: string): TString {
  return Type.String({ description, maxLength, ...rule(`self.matches(r'${pattern}')`, message) });
}

type Annotations = Pick<Schema, 'maxLength' | 'x-kubernetes-validations'> & { default?: string };

/** A string that must not be empty. */
export function nonEmpty(description: string, annotations: Annotations = {}): TString {
  return Type.String({ description, minLength: 1, ...annotations });
}

/** A whole number of 32 bits. */
export function int32(description: string, bounds: { minimum?: number; maximum?: number; default?: number }): TInteger {
  return Type.Integer({ description, format: 'int32', ...bounds });
}

/** A whole number of 64 bits. */
export function int64(description: string, bounds: { minimum?: number } = {}): TInteger {
  return Type.Integer({ description, format: 'int64', ...bounds });
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** The name of an object of most kinds. */
export const objectName: TextRule = {
  pattern: `^${label}([.]${label})*$`,
  maxLength: 253,
  message:
    'must be the name of an object: lower-case letters, digits, - and ., beginning and ending with a letter or digit',
};

/** The same, or empty. */
export const optionalName: TextRule = { ...objectName, pattern: `^(${label}([.]${label})*)?$` };

/** The name of a namespace, or empty. */
export const namespaceName: TextRule = {
  pattern: `^(${label})?$`,
  maxLength: 63,
  message:
    'must be the name of a namespace: at most 63 lower-case letters, digits and -, beginning and ending with a letter or digit',
};
