// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';

/**
 * A JSON value as YAML in block style, keys sorted as Kubernetes does; ends with a newline. What is nested deeper than
 * anything usual is in flow style, that is as JSON: every line of it would begin with its indentation.
 */
export function yamlText(value: unknown): string {
  const lines: string[] = [];
  if (isBlock(value, 0)) appendBlock(lines, value, '', '');
  else lines.push(scalar(value));
  lines.push('');
  return lines.join('\n');
}

/** The deepest nesting in block style. */
const maxIndentation = 50 * 2;

/** Whether a value is written in several lines: neither scalars nor empty lists and objects are. */
function isBlock(value: unknown, indentation: number): value is readonly unknown[] | JsonObject {
  if (indentation > maxIndentation || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  for (const key in value) if ((value as JsonObject)[key] !== undefined) return true;
  return false;
}

/** Appends the lines of a list or object; `first` is the beginning of the first one, which may follow a dash. */
function appendBlock(lines: string[], value: readonly unknown[] | JsonObject, indent: string, first: string): void {
  let start = first;
  if (isObject(value)) {
    for (const key of Object.keys(value).toSorted()) {
      const field = value[key];
      if (field === undefined) continue;
      // A list has the indentation of its key.
      const inner = Array.isArray(field) ? indent : `${indent}  `;
      if (isBlock(field, inner.length)) {
        lines.push(`${start}${scalar(key)}:`);
        appendBlock(lines, field, inner, inner);
      } else lines.push(`${start}${scalar(key)}: ${scalar(field)}`);
      start = indent;
    }
    return;
  }
  const inner = `${indent}  `;
  for (const item of value) {
    // The first line of an item follows its dash.
    if (isBlock(item, inner.length)) appendBlock(lines, item, inner, `${start}- `);
    else lines.push(`${start}- ${scalar(item)}`);
    start = indent;
  }
}

/** Strings that need no quotes in any YAML version. */
const plain = /^[A-Za-z_/][\w./-]*(?: [\w./-]+)*$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A value in one line. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  return plain.test(value) && !reserved.test(value) ? value : JSON.stringify(value);
}
