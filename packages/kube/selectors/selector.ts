// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector } from '../generated/types.ts';
import { fieldOf, isObject } from '../objects/json.ts';

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

/** Whether all requirements hold for the labels. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels = {}): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = fieldOf(labels, key);
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

/** `matchesLabelSelector` for many objects: what follows from the selector alone is computed once. */
export function labelMatcher(selector: LabelSelector | undefined): (labels: Labels | undefined) => boolean {
  if (selector === undefined) return () => false;
  const requirements = requirementsOf(selector);
  return (labels) => matchesLabels(requirements, labels);
}

/** The selector as query text of a list or watch. */
export function formatLabelSelector(selector: LabelSelector): string {
  return requirementsOf(selector).map(formatRequirement).join(',');
}

/** Parses `metadata.name=web,status.phase!=Running`; a backslash escapes a comma, an equals sign or itself. */
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

/** Whether all requirements hold for the object's fields; a missing field is the empty string. */
export function matchesFields(requirements: readonly FieldRequirement[], object: object): boolean {
  return requirements.every(({ path, operator, value }) => (fieldText(object, path) === value) === (operator === '='));
}

function fieldText(object: object, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) value = isObject(value) ? fieldOf(value, name) : undefined;
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
