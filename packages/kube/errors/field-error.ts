// SPDX-License-Identifier: Apache-2.0

/** A field error in the server's wording: a cause of an Invalid status. */
export interface FieldError {
  field: string;
  reason:
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueInvalid'
    | 'FieldValueNotFound'
    | 'FieldValueNotSupported'
    | 'FieldValueRequired'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'InternalError';
  /** Without the field: `Invalid value: 1: …`. */
  message: string;
}

/** The most errors of an object that are reported; validation ends when there are more. */
export const maxFieldErrors = 100;

/** The most text of errors, in characters: some repeat a whole list. */
export const maxErrorText = 1024 * 1024;

/** Whether there are more errors than are reported, so that further ones need not be found. */
export function isFull(errors: readonly FieldError[]): boolean {
  return errors.length > maxFieldErrors;
}

/** The errors; the first ones when there are more than are reported. */
export function reportedOf(found: Iterable<FieldError>): FieldError[] {
  const errors: FieldError[] = [];
  for (const error of found) {
    errors.push(error);
    if (isFull(errors)) break;
  }
  return errors;
}

/** The errors of each item; of the first items when they have more than are reported. */
export function errorsOfEach<T>(
  items: Iterable<T>,
  errorsOf: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  let index = 0;
  let text = 0;
  for (const item of items) {
    for (const error of errorsOf(item, index)) {
      errors.push(error);
      text += error.message.length;
    }
    if (isFull(errors) || text > maxErrorText) break;
    index += 1;
  }
  return errors;
}

/** A missing required field. */
export function required(field: string, detail = ''): FieldError {
  return {
    field,
    reason: 'FieldValueRequired',
    message: detail === '' ? 'Required value' : `Required value: ${detail}`,
  };
}

/** A field whose value breaks a rule. */
export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  const message = `Invalid value: ${JSON.stringify(value)}${detail === '' ? '' : `: ${detail}`}`;
  return { field, reason: 'FieldValueInvalid', message };
}

/** A value of the wrong type. */
export function wrongType(field: string, value: unknown, type: string, actual = typeName(value)): FieldError {
  const message = `Invalid value: "${actual}": ${field} in body must be of type ${type}: "${actual}"`;
  return { field, reason: 'FieldValueTypeInvalid', message };
}

/** A value that is not in the enum. */
export function unsupported(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const list = supported.map((each) => JSON.stringify(String(each))).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

/** A duplicate value. */
export function duplicate(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}` };
}

/** A value that names something which does not exist. */
export function notFound(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}` };
}

/** A field that could not be validated. */
export function internalError(field: string, detail: string): FieldError {
  return { field, reason: 'InternalError', message: `Internal error: ${detail}` };
}

/** A field that must not be set, or not to this value. */
export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` };
}

/** A text over its maximum length. */
export function tooLong(field: string, limit: number): FieldError {
  return { field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${limit} bytes` };
}

/** A list or map over its maximum size. */
export function tooMany(field: string, actual: number, limit: number): FieldError {
  const most = `${limit} item${limit === 1 ? '' : 's'}`;
  return { field, reason: 'FieldValueTooMany', message: `Too many: ${actual}: must have at most ${most}` };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
