// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';

/** A JSON value as YAML in block style, keys sorted as Kubernetes does; ends with a newline. */
export function yamlText(value: unknown): string {
  const text = block(value, '');
  return text.startsWith('\n') ? text.slice(1) : `${text.trimStart()}\n`;
}

/** The text after a key or dash: a scalar, or further lines starting with a newline. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : listText(value, indent);
  if (!isObject(value)) return ` ${scalar(value)}`;
  const text = fieldsText(value, indent);
  return text === '' ? ' {}' : text;
}

function fieldsText(object: JsonObject, indent: string): string {
  let text = '';
  for (const key of Object.keys(object).toSorted()) {
    const value = object[key];
    if (value === undefined) continue;
    // A list has the indentation of its key.
    const inner = Array.isArray(value) ? indent : `${indent}  `;
    text += `\n${indent}${scalar(key)}:${endless(block(value, inner))}`;
  }
  return text === '' ? '' : `${text}\n`;
}

function listText(list: readonly unknown[], indent: string): string {
  let text = '';
  for (const item of list) {
    const inner = endless(block(item, `${indent}  `));
    // The first line of an item follows its dash.
    text += `\n${indent}-${inner.startsWith('\n') ? ` ${inner.slice(1).trimStart()}` : inner}`;
  }
  return `${text}\n`;
}

function endless(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Strings that need no quotes in any YAML version. */
const plain = /^[A-Za-z_/][\w./-]*(?: [\w./-]+)*$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  return plain.test(value) && !reserved.test(value) ? value : JSON.stringify(value);
}
