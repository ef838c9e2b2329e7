// SPDX-License-Identifier: Apache-2.0
import { type FieldError, forbidden, invalidValue, required, unsupported } from '@forge/kube/errors/field-error.ts';
import type { Schema, ValidationRule } from '@forge/kube/schema/schema.ts';
import { product } from '../library/overload.ts';
import { declarationOf, maxRequestBytes } from './declaration.ts';
import { fieldPath } from './field-path.ts';
import { type CompiledRule, rulesOf } from './rule.ts';
import { hasRules } from './validate-rules.ts';

const expressionLimit = 10_000_000;
const totalLimit = 100_000_000;

/** Reasons that a rule may specify. */
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Errors of the CEL rules in a schema: rules that do not compile, or may become too expensive. */
export function ruleErrors(schema: Schema, field: string): FieldError[] {
  const costs: RuleCost[] = [];
  const errors = [...checkSchema({ schema, field, isRoot: true, count: 1, uncorrelated: undefined }, costs)];
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= totalLimit) return errors;
  const expensive = costs.filter(({ cost }) => cost >= totalLimit / 100).toSorted((a, b) => b.cost - a.cost);
  const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  return [
    ...errors,
    ...expensive.slice(0, 4).map((each) => forbidden(each.field, contributed)),
    forbidden(
      field,
      exceeds('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total, totalLimit),
    ),
  ];
}

interface RuleCost {
  readonly field: string;
  readonly cost: number;
}

/** A node of the schema tree. */
interface Place {
  readonly schema: Schema;
  readonly field: string;
  readonly isRoot: boolean;
  /** Maximum number of occurrences in an object; undefined when only the request size limits it. */
  readonly count: number | undefined;
  /** The outermost uncorrelatable list, in which transition rules have no old value. */
  readonly uncorrelated: string | undefined;
}

function* checkSchema(place: Place, costs: RuleCost[]): Generator<FieldError> {
  const { schema, field, count } = place;
  if (!hasRules(schema)) return;
  const { properties = {}, additionalProperties, items, maxItems, maxProperties } = schema;
  const child = (inner: Schema, step: string): Place => ({
    ...place,
    schema: inner,
    field: `${field}.${step}`,
    isRoot: inner['x-kubernetes-embedded-resource'] === true,
  });
  const times = (most: number | undefined): Pick<Place, 'count'> => ({
    count: count === undefined || most === undefined ? undefined : count * most,
  });
  const inner: FieldError[] = [];
  if (typeof additionalProperties === 'object') {
    const each = { ...child(additionalProperties, 'additionalProperties'), ...times(maxProperties) };
    inner.push(...checkSchema(each, costs));
  }
  for (const [name, property] of Object.entries(properties)) {
    inner.push(...checkSchema(child(property, `properties[${name}]`), costs));
  }
  if (items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelated = isMap ? place.uncorrelated : (place.uncorrelated ?? field);
    inner.push(...checkSchema({ ...child(items, 'items'), ...times(maxItems), uncorrelated }, costs));
  }
  yield* inner;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const written = rules.flatMap((rule, index) => [...checkWriting(rule, schema, ruleField(field, index))]);
  yield* written;
  if (written.length === 0 && rules.length > 0) yield* checkCompiled(place, costs);
}

function ruleField(field: string, index: number): string {
  return `${field}.x-kubernetes-validations[${index}]`;
}

/** Errors of a rule that need no compilation. */
function* checkWriting(rule: ValidationRule, schema: Schema, field: string): Generator<FieldError> {
  const { message = '', messageExpression = '', reason, fieldPath: path = '' } = rule;
  const text = message.trim();
  if (rule.rule.trim() === '') yield required(`${field}.rule`, 'rule is not specified');
  else if (message !== '' && text === '') {
    yield invalidValue(`${field}.message`, message, 'must be non-empty if specified');
  } else if (hasLines(text)) yield invalidValue(`${field}.message`, message, 'must not contain line breaks');
  else if (hasLines(rule.rule.trim()) && text === '') {
    yield required(`${field}.message`, 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    yield required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !reasons.includes(reason)) yield unsupported(`${field}.reason`, reason, reasons);
  if (path === '') return;
  if (path.trim() === '') yield invalidValue(`${field}.fieldPath`, path, 'must be non-empty if specified');
  if (hasLines(path)) yield invalidValue(`${field}.fieldPath`, path, 'must not contain line breaks');
  if (fieldPath(path, schema) === undefined) {
    yield invalidValue(`${field}.fieldPath`, path, 'must be a valid path');
  }
}

function hasLines(text: string): boolean {
  return /[\n\r]/.test(text);
}

function* checkCompiled(
  { schema, field, isRoot, count, uncorrelated }: Place,
  costs: RuleCost[],
): Generator<FieldError> {
  const declaration = declarationOf(schema, isRoot);
  if (declaration === undefined) {
    const problem = 'failed to construct type information for x-kubernetes-validations rules';
    const cause = 'unable to convert structural schema to CEL declarations';
    yield {
      field: `${field}.x-kubernetes-validations`,
      reason: 'FieldValueInvalid',
      message: `Internal error: internal error: ${problem}: ${cause}`,
    };
    return;
  }
  const most = count ?? Math.floor(maxRequestBytes / (declaration.minBytes + 1));
  for (const [index, compiled] of rulesOf(schema, isRoot).entries()) {
    yield* checkRule(compiled, ruleField(field, index), most, uncorrelated, costs);
  }
}

function* checkRule(
  { rule, program, message, usesOldSelf }: CompiledRule,
  field: string,
  count: number,
  uncorrelated: string | undefined,
  costs: RuleCost[],
): Generator<FieldError> {
  if (typeof program === 'string') yield invalidRule(`${field}.rule`, rule, program);
  else yield* checkCost('estimated rule cost', `${field}.rule`, product(program.estimate, count), costs);
  if (typeof message === 'string') yield invalidRule(`${field}.messageExpression`, rule, message);
  else if (message !== undefined) {
    yield* checkCost('estimated messageExpression cost', `${field}.messageExpression`, message.estimate, costs);
  }
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    yield invalidValue(`${field}.rule`, rule.rule, detail);
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    yield invalidValue(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail);
  }
}

/** Kubernetes prints the whole rule as JSON. */
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const { message = '', messageExpression = '', reason = null, fieldPath: path = '', optionalOldSelf = null } = rule;
  const shown = {
    Rule: rule.rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: path,
    OptionalOldSelf: optionalOldSelf,
  };
  const value = JSON.stringify(shown).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${detail}` };
}

function* checkCost(name: string, field: string, cost: number, costs: RuleCost[]): Generator<FieldError> {
  costs.push({ field, cost });
  if (cost > expressionLimit) yield forbidden(field, exceeds(name, cost, expressionLimit));
}

function exceeds(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${times} (${advice})`;
}
