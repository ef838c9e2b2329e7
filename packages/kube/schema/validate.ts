// SPDX-License-Identifier: Apache-2.0
import { duplicate, type FieldError, isFull, required, tooMany, wrongType } from '../errors/field-error.ts';
import { FieldPath } from '../errors/field-path.ts';
import { isObject, type JsonObject, fieldOf } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import { WorkBudget } from '../regex/work-budget.ts';
import { listItemKey, oldItems, hasChanged } from './correlate.ts';
import type { Schema } from './schema.ts';
import { objectShape, type Shape, shapeOf } from './shape.ts';
import { ruleViolation, checkEnum, checkRules, errorWithoutField } from './value-rules.ts';

/**
 * The errors of an object against its kind's schema, in the server's wording. Unchanged values of the old object are
 * not reported again (ratcheting).
 */
export function validate(object: KubeObject, schema: Schema, before?: KubeObject): FieldError[] {
  const errors = errorsIn(object, objectShape(schema), undefined);
  return errors.length === 0 || before === undefined ? errors : errorsIn(object, objectShape(schema), before);
}

/** The errors of a value against a schema, in the server's wording. */
export function validateValue(value: unknown, schema: Schema): FieldError[] {
  return errorsIn(value, shapeOf(schema), undefined);
}

function errorsIn(value: unknown, shape: Shape, before: unknown): FieldError[] {
  const validation = new Validation(new FieldPath(), new WorkBudget());
  validation.check(value, shape, before);
  return validation.errors;
}

class Validation {
  readonly errors: FieldError[] = [];
  readonly #path: FieldPath;
  readonly #budget: WorkBudget;

  constructor(path: FieldPath, budget: WorkBudget) {
    this.#path = path;
    this.#budget = budget;
  }

  /** Checks a value, unless it equals `before`. */
  check(value: unknown, shape: Shape, before: unknown): void {
    const { schema } = shape;
    if (before !== undefined && !hasChanged(value, before, schema)) return;
    if (value === null && schema.nullable === true) return;
    const expected = mismatch(value, schema);
    if (expected !== undefined) {
      this.errors.push(...typeErrors(this.#place(), value, expected, schema.format));
      checkEnum(value, schema, this.#path, this.errors);
      return;
    }
    if (shape.hasRules) checkRules(value, schema, this.#path, this.errors, this.#budget);
    if (shape.hasAlternatives) this.#checkAlternatives(value, schema, before);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.#checkList(value, shape, before);
    else this.#checkObject(value as JsonObject, shape, before);
  }

  #checkAlternatives(value: unknown, { allOf = [], anyOf = [], oneOf = [], not }: Schema, before: unknown): void {
    const place = JSON.stringify(this.#place());
    const all = allOf.map((schema) => this.#errorsAgainst(value, schema, before));
    if (all.some(({ length }) => length > 0)) {
      this.errors.push(...all.flat(), errorWithoutField(`${place} must validate all the schemas (allOf)`));
    }
    const any = anyOf.map((schema) => this.#errorsAgainst(value, schema, before));
    if (any.length > 0 && any.every(({ length }) => length > 0)) {
      this.errors.push(errorWithoutField(`${place} must validate at least one schema (anyOf)`), ...(any[0] ?? []));
    }
    const one = oneOf.map((schema) => this.#errorsAgainst(value, schema, before));
    const valid = one.filter(({ length }) => length === 0).length;
    if (one.length > 0 && valid !== 1) {
      const found = valid === 0 ? 'none valid' : `${valid} valid alternatives`;
      const rule = `${place} must validate one and only one schema (oneOf). Found ${found}`;
      this.errors.push(errorWithoutField(rule), ...(valid === 0 ? (one[0] ?? []) : []));
    }
    if (not !== undefined && this.#errorsAgainst(value, not, before).length === 0) {
      this.errors.push(errorWithoutField(`${place} must not validate the schema (not)`));
    }
  }

  /** The errors of the value against another schema. */
  #errorsAgainst(value: unknown, schema: Schema, before: unknown): FieldError[] {
    const trial = new Validation(this.#path, this.#budget);
    trial.check(value, shapeOf(schema), before);
    return trial.errors;
  }

  #checkList(list: readonly unknown[], shape: Shape, before: unknown): void {
    const { minItems = 0, maxItems = Infinity } = shape.schema;
    const { length } = list;
    const old = before === undefined ? undefined : oldItems(shape.schema, before);
    for (let index = 0; index < length && !isFull(this.errors); index += 1) {
      const item = list[index];
      this.#inside(index, item, shape.items, old?.get(listItemKey(shape.schema, item) ?? ''));
    }
    if (length < minItems)
      this.errors.push(ruleViolation(this.#path, length, `should have at least ${minItems} items`));
    if (length > maxItems) this.errors.push(tooMany(this.#place(), length, maxItems));
    // Built-in kinds, the only ones with patch strategies, allow duplicate keys, as in environment variables.
    if (shape.isKeyed && shape.schema['x-kubernetes-patch-strategy'] === undefined) this.#checkUnique(list, shape);
  }

  #checkUnique(list: readonly unknown[], { itemKeys }: Shape): void {
    const seen = new Map<string, number>();
    for (const [index, item] of list.entries()) {
      if (isFull(this.errors)) return;
      const identity =
        itemKeys !== undefined && isObject(item)
          ? Object.fromEntries(itemKeys.map((key) => [key, fieldOf(item, key)]))
          : item;
      const text = JSON.stringify(identity);
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      if (times === 2) this.errors.push(duplicate(`${this.#place()}[${index}]`, identity));
    }
  }

  #checkObject(object: JsonObject, shape: Shape, before: unknown): void {
    const { minProperties = 0, maxProperties = Infinity } = shape.schema;
    const old = isObject(before) ? before : {};
    let count = 0;
    for (const name in object) {
      if (isFull(this.errors)) return;
      const inside = shape.inside(name);
      if (inside !== undefined) this.#inside(name, object[name], inside, fieldOf(old, name));
      count += 1;
    }
    if (count < minProperties) {
      this.errors.push(ruleViolation(this.#path, count, `should have at least ${minProperties} properties`));
    }
    if (count > maxProperties) this.errors.push(tooMany(this.#place(), count, maxProperties));
    for (const name of shape.required) {
      if (!Object.hasOwn(object, name)) this.errors.push(required(this.#path.toString(name)));
    }
  }

  #inside(step: string | number, value: unknown, shape: Shape, before: unknown): void {
    this.#path.enter(step);
    this.check(value, shape, before);
    this.#path.leave();
  }

  #place(): string {
    return this.#path.toString();
  }
}

/** The expected type, when the value has another. */
function mismatch(value: unknown, schema: Schema): string | undefined {
  const { type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const isNumber = schema.format === 'quantity' ? typeof value === 'number' : Number.isInteger(value);
    return isNumber || typeof value === 'string' ? undefined : 'integer,string';
  }
  if (type === undefined) return undefined;
  switch (type) {
    case 'integer':
      return isInteger(value) ? undefined : type;
    case 'array':
      return Array.isArray(value) ? undefined : type;
    case 'object':
      return isObject(value) ? undefined : type;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type ? undefined : type;
  }
}

/** Whether Go reads the number as an integer. */
function isInteger(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

/** The errors of a value of the wrong type; two for a number that is not an integer. */
function typeErrors(field: string, value: unknown, expected: string, format: string | undefined): FieldError[] {
  if (expected !== 'integer' || typeof value !== 'number') return [wrongType(field, value, expected)];
  const kind = format === undefined ? '(default format)' : `with format ${format}`;
  return [
    format === undefined ? wrongType(field, value, expected) : wrongType(field, value, format, 'float64'),
    errorWithoutField(`Checked value must be of type integer ${kind} in ${field}`),
  ];
}
