// SPDX-License-Identifier: Apache-2.0
import { type FieldError, invalidValue, tooLong, unsupported } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { compileRegex } from '../regex/compile-regex.ts';
import type { WorkMeter } from '../regex/regex.ts';
import { WorkBudgetExceeded } from '../regex/work-budget.ts';
import { hasFormat } from './formats.ts';
import type { Schema } from './schema.ts';

/** Adds the errors of the value against the rules of its schema beyond its type. */
export function checkRules(
  value: unknown,
  schema: Schema,
  path: FieldPath,
  errors: FieldError[],
  meter: WorkMeter,
): void {
  if (typeof value === 'string') checkText(value, schema, path, errors, meter);
  if (typeof value === 'number') checkNumber(value, schema, path, errors);
  checkEnum(value, schema, path, errors);
}

/** Adds an error when the value is not in the enum. */
export function checkEnum(value: unknown, schema: Schema, path: FieldPath, errors: FieldError[]): void {
  if (schema.enum === undefined || schema.enum.includes(value)) return;
  errors.push(unsupported(path.toString(), value, schema.enum));
}

function checkText(text: string, schema: Schema, path: FieldPath, errors: FieldError[], meter: WorkMeter): void {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  // Characters outside the basic plane are two units of text.length.
  const length = minLength > 0 || maxLength < text.length ? Array.from(text).length : 0;
  if (length > maxLength) errors.push(tooLong(path.toString(), maxLength));
  else if (length < minLength) errors.push(ruleViolation(path, text, `should be at least ${minLength} chars long`));
  else if (pattern !== undefined) checkPattern(text, pattern, path, errors, meter);
  if (format === undefined || hasFormat(text, format)) return;
  const error = ruleViolation(path, text, `must be of type ${format}: ${JSON.stringify(text)}`);
  errors.push({ ...error, reason: 'FieldValueTypeInvalid' });
}

function checkPattern(text: string, pattern: string, path: FieldPath, errors: FieldError[], meter: WorkMeter): void {
  try {
    const regex = compileRegex(pattern, meter);
    if (regex instanceof SyntaxError || !regex.test(text, meter)) {
      errors.push(ruleViolation(path, text, `should match '${pattern}'`));
    }
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    const detail = `takes too long to match with '${pattern}': shorten it, or simplify the pattern`;
    errors.push(ruleViolation(path, text, detail));
  }
}

function checkNumber(value: number, schema: Schema, path: FieldPath, errors: FieldError[]): void {
  const { minimum = -Infinity, maximum = Infinity, multipleOf, format } = schema;
  const refuse = (rule: string): unknown => errors.push(ruleViolation(path, value, rule));
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    refuse(`should be a multiple of ${multipleOf}`);
  if (schema.exclusiveMaximum === true && value >= maximum) refuse(`should be less than ${maximum}`);
  else if (value > maximum) refuse(`should be less than or equal to ${maximum}`);
  if (schema.exclusiveMinimum === true && value <= minimum) refuse(`should be greater than ${minimum}`);
  else if (value < minimum) refuse(`should be greater than or equal to ${minimum}`);
  if (format === 'int32' && value !== (value | 0)) {
    errors.push(errorWithoutField(`Checked value must be of type integer with format int32 in ${path.toString()}`));
  }
}

/** A violated rule, in the wording of the server's schema validation. */
export function ruleViolation(path: FieldPath, value: unknown, rule: string): FieldError {
  const field = path.toString();
  return invalidValue(field, value, `${field} in body ${rule}`);
}

/** An error that the server reports without field and value. */
export function errorWithoutField(detail: string): FieldError {
  return invalidValue('<nil>', '', detail);
}
