// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector } from './generated/types.ts';

/** One condition on a label; a selector is a list of them that must all hold. */
export interface LabelRequirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  values: readonly string[];
}

/** One condition on the text of a field. */
export interface FieldRequirement {
  path: string;
  operator: '=' | '!=';
  value: string;
}

type Labels = Readonly<Record<string, string>>;

const labelKey = String.raw`(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?`;
const labelValue = String.raw`[\w.-]*`;
const setRequirement = new RegExp(String.raw`^(${labelKey})\s+(in|notin)\s*\(([^()]*)\)$`);
const equalityRequirement = new RegExp(String.raw`^(${labelKey})\s*(==|=|!=|>|<)\s*(${labelValue})$`);
const presenceRequirement = new RegExp(String.raw`^(!?)\s*(${labelKey})$`);
/** A whole requirement, and what stands too much behind it. */
const surplus = new RegExp(String.raw`^${labelKey}\s*(?:==|=|!=|>|<)\s*${labelValue}\s*(==|!=|[=!<>()]|[\w.-]+)`);
const operators = { '=': 'In', '==': 'In', '!=': 'NotIn', '>': 'Gt', '<': 'Lt', in: 'In', notin: 'NotIn' } as const;

/** Reads `app=web,tier in (a, b),!canary`; throws a SyntaxError that names what it could not read. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  return splitOutsideParentheses(text).map((part) => {
    const [, key = '', operator, value = ''] = setRequirement.exec(part) ?? equalityRequirement.exec(part) ?? [];
    if (operator === 'in' || operator === 'notin') {
      return { key, operator: operators[operator], values: value.split(',').map((item) => item.trim()) };
    }
    if (operator !== undefined)
      return { key, operator: operators[operator as keyof typeof operators], values: [value] };
    const [, not, present] = presenceRequirement.exec(part) ?? [];
    if (present === undefined) throw new SyntaxError(troubleWith(part));
    return { key: present, operator: not === '!' ? 'DoesNotExist' : 'Exists', values: [] };
  });
}

function troubleWith(part: string): string {
  const [, found] = surplus.exec(part) ?? [];
  return found === undefined
    ? `unable to parse requirement: ${JSON.stringify(part)}`
    : `found '${found}', expected: ',' or 'end of string'`;
}

/** Whether all requirements hold for the labels. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels = {}): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      case 'Gt':
        return Number(value) > Number(values[0]);
      case 'Lt':
        return Number(value) < Number(values[0]);
    }
  });
}

/** Whether the matchLabels/matchExpressions form selects the labels; an empty selector selects all, none selects nothing. */
export function matchesLabelSelector(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  return selector !== undefined && matchesLabels(requirementsOf(selector), labels);
}

/** The selector as the text a list or watch takes. */
export function formatLabelSelector(selector: LabelSelector): string {
  return requirementsOf(selector).map(formatRequirement).join(',');
}

/** Reads `metadata.name=web,status.phase!=Running`; a backslash guards a comma, an equals sign or itself. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const parts = text.match(/(?:\\.|[^,\\])+/gs) ?? [];
  return parts.map((part) => {
    const [, path, operator, value] = /^([^=!\\]+)(==|=|!=)((?:\\.|[^=\\])*)$/s.exec(part) ?? [];
    if (path === undefined || value === undefined) {
      throw new SyntaxError(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    return { path, operator: operator === '!=' ? '!=' : '=', value: value.replaceAll(/\\(.)/gs, '$1') };
  });
}

/** Whether all requirements hold for the object's fields; a field that is not there is the empty text. */
export function matchesFields(requirements: readonly FieldRequirement[], object: object): boolean {
  return requirements.every(({ path, operator, value }) => (fieldText(object, path) === value) === (operator === '='));
}

function fieldText(object: object, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelRequirement[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({
      key,
      operator: operator as LabelRequirement['operator'],
      values,
    })),
  ];
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${values[0]}`;
    case 'Lt':
      return `${key}<${values[0]}`;
  }
}

function splitOutsideParentheses(text: string): string[] {
  return text.trim() === '' ? [] : text.split(/,(?![^()]*\))/).map((part) => part.trim());
}
