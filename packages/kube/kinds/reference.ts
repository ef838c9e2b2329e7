// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '../schema/schema.ts';
import type { Kind, PrinterColumn } from './kind.ts';

/** A longer pattern is looked up in the CRD. */
const maxPatternLength = 24;

/**
 * The reference page of a kind, in Markdown: its names, every field with type, default and rules, and its columns. `crd` is
 * the address of its CRD, relative to the page.
 */
export function referenceOf(kind: Kind, crd: string): string {
  const { spec = {}, status } = kind.schema.properties ?? {};
  const sections = [
    [`# ${kind.kind}`, ...described(kind.schema), [...namesOf(kind, crd), ...rulesOf(kind.schema, '')].join('\n')],
    sectionOf('spec', spec),
    status === undefined ? [] : sectionOf('status', status),
    columnsOf(kind.printerColumns),
  ];
  return `${sections.flat().join('\n\n')}\n`;
}

function namesOf({ apiVersion, plural, scope, shortNames, categories }: Kind, crd: string): string[] {
  const codes = (names: readonly string[]): string => names.map((name) => code(name)).join(', ');
  return [
    `- API version: ${code(apiVersion)}`,
    `- Resource: ${code(plural)}, ${scope === 'Namespaced' ? 'namespaced' : 'cluster-wide'}`,
    ...(shortNames.length > 0 ? [`- Short names: ${codes(shortNames)}`] : []),
    ...(categories.length > 0 ? [`- Categories: ${codes(categories)}`] : []),
    `- [CRD](${crd}): the schema, with the patterns and the expressions of all rules`,
  ];
}

function sectionOf(name: string, schema: Schema): string[] {
  const lines = [...rulesOf(schema, ''), ...fieldsOf(schema, '')];
  return [`## ${name}`, ...described(schema), ...(lines.length > 0 ? [lines.join('\n')] : [])];
}

/** A line for each field, nested fields indented. */
function fieldsOf(schema: Schema, indent: string): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const facts = [typeOf(field), ...(required.includes(name) ? ['required'] : []), ...constraintsOf(field)];
    const line = [`${indent}- ${code(name)}: ${facts.join(', ')}.`, ...described(field)].join(' ');
    return [line, ...rulesOf(field, `${indent}  `), ...fieldsOf(innermost(field), `${indent}  `)];
  });
}

/** The schema that declares nested fields: that of the items of a list or the values of a map. */
function innermost(schema: Schema): Schema {
  const inner = schema.items ?? schema.additionalProperties;
  return typeof inner === 'object' ? innermost(inner) : schema;
}

function typeOf(schema: Schema): string {
  const { type = 'any', items, additionalProperties, format } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return format === 'quantity' ? 'quantity' : 'integer or string';
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  return format === 'date-time' ? 'time' : type;
}

function constraintsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const choices = innermost(schema).enum?.map((value) => code(JSON.stringify(value)));
  const keys = schema['x-kubernetes-list-map-keys']?.map((key) => code(key));
  return [
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined ? [] : [minLength === 1 ? 'not empty' : `at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minItems === undefined ? [] : [`at least ${minItems} items`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(pattern === undefined ? [] : [`matching ${pattern.length > maxPatternLength ? 'its pattern' : code(pattern)}`]),
    ...(keys === undefined ? [] : [`one item per ${keys.join(' and ')}`]),
  ];
}

/** The rules by their messages; by the expression where there is none. */
function rulesOf({ 'x-kubernetes-validations': rules = [] }: Schema, indent: string): string[] {
  const lines = rules.map(({ rule, message, fieldPath }) => {
    const field = fieldPath === undefined ? '' : `${code(fieldPath.replace(/^\./, ''))}: `;
    return `${indent}- Rule: ${field}${message ?? code(rule)}`;
  });
  return [...new Set(lines)];
}

function columnsOf(columns: readonly PrinterColumn[]): string[] {
  if (columns.length === 0) return [];
  const lines = columns.map(({ name, jsonPath, priority = 0, description }) => {
    const wide = priority > 0 ? ', with `-o wide`' : '';
    return `- ${name}: ${code(jsonPath)}${wide}.${description === undefined ? '' : ` ${description}`}`;
  });
  return ['## Columns of `kubectl get`', lines.join('\n')];
}

function described({ description }: Schema): string[] {
  return description === undefined ? [] : [description];
}

/** Text as Markdown code, even if it contains backticks. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
