// SPDX-License-Identifier: Apache-2.0
import type { ManagedFieldsEntry } from '@forge/kube/objects/object.ts';
import { maxMembers, maxValues } from '../../encoding/object-size.ts';

/** Users by their rights: none, `edit` in one namespace, creating definitions of custom resources, or certificate requests. */
export type Attacker = 'nobody' | 'editor' | 'definer' | 'requester';

/** A request designed to keep the server busy. */
export interface Attack {
  readonly name: string;
  /** The user with the fewest permissions that reaches the code. */
  readonly by: Attacker;
  /** The expected answer: an attack that ends before the code it is meant for proves nothing. */
  readonly status: number | readonly number[];
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string | Uint8Array;
  /** Whether each byte of the body is sent as a chunk of its own. */
  readonly inBytes?: boolean;
  /** How often it is sent on one connection, without waiting for responses. Default: once. */
  readonly pipelined?: number;
}

/** Maximum size of a body in bytes. */
export const size = 3 * 1024 * 1024;

/** Bytes of a body that are stored, with some room: more than 1.5 MiB of text is refused before anything looks at it. */
export const storedSize = 1_400_000;

/** As many repetitions of a text as fit into a body, leaving some room for the rest of it. */
export function filled(text: string, bytes = size - 1024): string {
  return text.repeat(Math.floor(bytes / text.length));
}

/** As many numbered parts of a JSON text as the limits of a body allow: bytes, fields and items. */
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

/** This many numbered parts of a JSON text. */
export function many(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join();
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

export const templates = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates';

/** A created object. */
export function post(
  status: number,
  name: string,
  body: () => string,
  path = reviews,
  by: Attacker = 'nobody',
): Attack {
  const headers = { 'content-type': 'application/json' };
  return { name: `JSON: ${name}`, by, status, method: 'POST', path, headers, body };
}

/** A patch by the editor. */
export function patch(status: number, name: string, type: string, path: string, body: () => string): Attack {
  const query = type === 'apply-patch+yaml' ? '?fieldManager=a&force=true' : '';
  const headers = { 'content-type': `application/${type}` };
  return { name: `${type}: ${name}`, by: 'editor', status, method: 'PATCH', path: `${path}${query}`, headers, body };
}

/** Nested objects. */
export function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** The fields of one of many managers of a ConfigMap. */
export function manager(index: number): ManagedFieldsEntry {
  const fields = Array.from({ length: 30 }, (_, field) => [`f:a${index * 30 + field}`, {}] as const);
  return {
    manager: `a${index}`,
    operation: index % 2 === 0 ? 'Update' : 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': Object.fromEntries(fields) },
  };
}
