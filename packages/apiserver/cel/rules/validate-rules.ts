// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { childSchema, listItemKey, oldItems, hasChanged } from '@forge/kube/schema/correlate.ts';
import type { Schema, ValidationRule } from '@forge/kube/schema/schema.ts';
import { type Scope, scopeOf } from '../evaluate/scope.ts';
import { dataValue } from '../values/data-value.ts';
import { CostExceeded, Meter } from '../values/meter.ts';
import { resourceSchema } from '../values/resource-schema.ts';
import { EvalError, Optional, type Result } from '../values/value.ts';
import { type CompiledRule, type CompiledExpression, rulesOf } from './rule.ts';
import { usableMessage } from './usable-message.ts';

const callLimit = 1_000_000;
const objectLimit = 10_000_000;

/** Input of rule validation. */
interface Subject {
  schema: Schema;
  object: JsonObject;
  old?: JsonObject;
  /** Called for failing rules on unchanged values (ratcheting). */
  warn?: (warning: string) => void;
}

/** Validates an object by the CEL rules of its schema; transition rules need the old object. */
export function validateRules({ schema, object, old, warn = () => {} }: Subject): FieldError[] {
  if (!hasRules(schema)) return [];
  const run = new Run(warn);
  run.validate({
    ...inside(schema),
    isRoot: true,
    value: object,
    old,
    field: '',
    touched: () => hasChanged(object, old, schema),
  });
  return run.errors;
}

const withRules = new WeakMap<Schema, boolean>();

/** Whether a schema has any rules; most do not, and need no traversal. */
export function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, items } = schema;
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  const found = (schema['x-kubernetes-validations'] ?? []).length > 0 || inner.some(hasRules);
  withRules.set(schema, found);
  return found;
}

/** A node of the object tree. */
interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  /** The old value; undefined when there is none or it cannot be correlated. */
  readonly old: unknown;
  readonly field: string;
  readonly isRoot: boolean;
  /** Whether it has changed: unchanged values are only checked by transition rules. */
  readonly touched: () => boolean;
}

class Run {
  readonly errors: FieldError[] = [];
  readonly #warn: (warning: string) => void;
  #budget = objectLimit;

  constructor(warn: (warning: string) => void) {
    this.#warn = warn;
  }

  /** Validates a node and its children; false when the cost budget is exhausted. */
  validate(place: Place): boolean {
    const { schema, value } = place;
    if (value === null || value === undefined || !hasRules(schema)) return true;
    if (!this.#check(place)) return false;
    if (Array.isArray(value)) return this.#validateItems(place, value);
    return isObject(value) ? this.#validateFields(place, value) : true;
  }

  #validateItems(place: Place, list: readonly unknown[]): boolean {
    const { schema, field, old } = place;
    const { items } = schema;
    if (items === undefined) return true;
    const before = oldItems(schema, old);
    return list.every((value, index) => {
      const was = before?.get(listItemKey(schema, value) ?? '');
      const changed = was === undefined ? place.touched : (): boolean => hasChanged(value, was, items);
      return this.validate({ ...inside(items), value, old: was, field: `${field}[${index}]`, touched: changed });
    });
  }

  #validateFields(place: Place, object: JsonObject): boolean {
    const { schema, field, old } = place;
    const before: JsonObject = isObject(old) ? old : {};
    return Object.entries(object).every(([name, value]) => {
      const child = childSchema(schema, name);
      if (child === undefined) return true;
      const was = Object.hasOwn(before, name) ? before[name] : undefined;
      const path = schema.properties !== undefined ? `${field}${field === '' ? '' : '.'}${name}` : `${field}[${name}]`;
      // kind and apiVersion are not compared: both objects have the same version.
      const isType = field === '' && (name === 'apiVersion' || name === 'kind');
      const changed = (): boolean => isType || hasChanged(value, was, child);
      return this.validate({ ...inside(child), value, old: was, field: path, touched: changed });
    });
  }

  #check(place: Place): boolean {
    const { schema, value, old, isRoot } = place;
    const rules = rulesOf(schema, isRoot);
    if (rules.length === 0) return true;
    if (this.#budget <= 0) return this.#outOfBudget(place);
    const whole = isRoot ? resourceSchema(schema) : schema;
    const self = dataValue(value, whole);
    const before = old === null || old === undefined ? undefined : dataValue(old, whole);
    return rules.every((compiled) => this.#checkRule(place, compiled, self, before));
  }

  #checkRule(place: Place, compiled: CompiledRule, self: Result, before: Result | undefined): boolean {
    const { rule, program, usesOldSelf } = compiled;
    const optional = rule.optionalOldSelf === true;
    if (usesOldSelf && before === undefined && !optional) return true;
    if (typeof program === 'string') {
      this.#report(place, `rule compile error: ${program}`);
      return true;
    }
    const variables = scopeOf({ self, oldSelf: optional ? asOptional(before) : (before ?? null) });
    const result = this.#evaluate(program, variables);
    if (this.#budget < 0) return this.#outOfBudget(place);
    if (result instanceof CostExceeded) {
      const end = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#report(place, `'${result.message}': ${end}: ${ruleText(rule)}`);
      return false;
    }
    if (result instanceof EvalError) this.#report(place, failure(result, rule));
    else if (result !== true) return this.#reportFailure(place, compiled, variables);
    return true;
  }

  #evaluate({ run }: CompiledExpression, variables: Scope | undefined): Result | CostExceeded {
    const meter = new Meter(callLimit);
    try {
      return run(variables, meter);
    } catch (error) {
      if (error instanceof CostExceeded) return error;
      throw error;
    } finally {
      this.#budget -= meter.cost;
    }
  }

  /** Reports a failed rule, with its message or messageExpression. */
  #reportFailure(place: Place, compiled: CompiledRule, variables: Scope | undefined): boolean {
    const { rule, message, path, usesOldSelf } = compiled;
    const field = path === '' ? place.field : `${place.field}${place.field === '' ? '' : '.'}${path}`;
    const there = { ...place, field };
    let detail = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
    if (typeof message === 'object') {
      const text = this.#evaluate(message, variables);
      if (this.#budget < 0 || text instanceof CostExceeded) {
        const end = 'no further validation rules will be run';
        const why =
          text instanceof CostExceeded
            ? `${end} due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`
            : `messageExpression evaluation failed due to running out of cost budget, ${end}`;
        this.#report(there, why);
        return false;
      }
      detail = usableMessage(text) ?? detail;
    }
    const error = ruleError(there, rule, detail);
    if (usesOldSelf || place.touched()) this.errors.push(error);
    else this.#warn(`${error.field}: ${error.message}`);
    return true;
  }

  #outOfBudget(place: Place): false {
    this.#report(place, 'validation failed due to running out of cost budget, no further validation rules will be run');
    return false;
  }

  /** Reports an evaluation error; it shows the type instead of the value. */
  #report({ field, schema }: Place, detail: string): void {
    const message = `Invalid value: ${JSON.stringify(schema.type ?? '')}: ${detail}`;
    this.errors.push({ field: shown(field), reason: 'FieldValueInvalid', message });
  }
}

function inside(schema: Schema): Pick<Place, 'schema' | 'isRoot'> {
  return { schema, isRoot: schema['x-kubernetes-embedded-resource'] === true };
}

function asOptional(value: Result | undefined): Result {
  if (value instanceof EvalError) return value;
  return value === undefined ? Optional.none : Optional.of(value);
}

function ruleText({ rule, message = '' }: ValidationRule): string {
  return message.trim() || rule.trim();
}

function failure({ message }: EvalError, rule: ValidationRule): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${ruleText(rule)}`;
  const unknown = 'call arguments did not match a supported operator, function or macro signature for rule';
  return `'${message}': ${unknown}: ${ruleText(rule)}`;
}

function ruleError({ field, schema, value }: Place, { reason }: ValidationRule, detail: string): FieldError {
  const omitted = schema.type === 'object' || schema.type === 'array';
  const given = omitted ? '' : `: ${JSON.stringify(value)}`;
  switch (reason) {
    case 'FieldValueForbidden':
      return { field: shown(field), reason, message: `Forbidden: ${detail}` };
    case 'FieldValueRequired':
      return { field: shown(field), reason, message: `Required value: ${detail}` };
    case 'FieldValueDuplicate':
      return { field: shown(field), reason, message: `Duplicate value${given}` };
    case 'FieldValueInvalid':
    case undefined:
  }
  return { field: shown(field), reason: 'FieldValueInvalid', message: `Invalid value${given}: ${detail}` };
}

/** Errors about the whole object name no field. */
function shown(field: string): string {
  return field === '' ? '<nil>' : field;
}
