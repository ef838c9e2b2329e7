// SPDX-License-Identifier: Apache-2.0
import { maxMembers, maxValues } from '../../encoding/object-size.ts';

/** Users by their rights: none, `edit` in one namespace, or creating definitions of custom resources. */
export type Attacker = 'nobody' | 'editor' | 'definer';

/** A request that is meant to keep the server busy. */
export interface Attack {
  readonly name: string;
  /** The user with the least rights that reaches the code. */
  readonly by: Attacker;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string | Uint8Array;
}

/** The most that a body may have, in bytes. */
export const size = 3 * 1024 * 1024;

/** As many repetitions of a text as fit into a body, leaving some room for what surrounds them. */
export function filled(text: string, bytes = size - 1024): string {
  return text.repeat(Math.floor(bytes / text.length));
}

/** As many numbered parts of a JSON text as a body may have: of bytes, and of fields and items. */
export function numbered(part: (index: number) => string, separator = ',', bytes = size - 1024): string {
  let values = 0;
  let members = 0;
  const fits = (text: string): boolean => {
    values += 1 + (text.match(/[,[{]/g)?.length ?? 0);
    members += 1;
    return values < maxValues - 1000 && members < maxMembers - 100;
  };
  return joined(part, separator, bytes, fits);
}

/** As many numbered lines as fit into a body. */
export function lines(line: (index: number) => string): string {
  return joined(line, '\n', size - 1024, () => true);
}

function joined(
  part: (index: number) => string,
  separator: string,
  bytes: number,
  fits: (text: string) => boolean,
): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const text = part(index);
    length += text.length + separator.length;
    if (length > bytes || !fits(text)) return parts.join(separator);
    parts.push(text);
  }
}

/** Paths in the namespace of the editor. */
export const namespace = '/api/v1/namespaces/default';
export const configMaps = `${namespace}/configmaps`;
export const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
export const things = '/apis/example.com/v1/namespaces/default/things';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** A created object. */
export function post(name: string, body: () => string, path = reviews, by: Attacker = 'nobody'): Attack {
  return { name: `JSON: ${name}`, by, method: 'POST', path, headers: { 'content-type': 'application/json' }, body };
}

/** A patch by the editor. */
export function patch(name: string, type: string, path: string, body: () => string): Attack {
  const query = type === 'apply-patch+yaml' ? '?fieldManager=a&force=true' : '';
  const headers = { 'content-type': `application/${type}` };
  return { name: `${type}: ${name}`, by: 'editor', method: 'PATCH', path: `${path}${query}`, headers, body };
}

/** Objects, each in the one before. */
export function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}
