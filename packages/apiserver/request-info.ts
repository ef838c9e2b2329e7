// SPDX-License-Identifier: Apache-2.0
import { booleanOf } from './list-options.ts';

/** What a path under /api or /apis points at. */
export interface ResourcePath {
  group: string;
  version: string;
  plural: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

/** What a request wants to do, in the words of RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** Takes a resource path apart; undefined when the path is not one. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decode(path).split('/').slice(1);
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const [group = '', version = '', ...rest] = core ? ['', ...parts.slice(1)] : parts.slice(1);
  if (rest.length === 0 || rest.includes('')) return undefined;
  // The subresources of a namespace are the only words that may follow its name and are not resources inside it.
  const insideNamespace =
    rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const namespace = insideNamespace ? rest[1] : undefined;
  const [plural = '', name, subresource, ...more] = insideNamespace ? rest.slice(2) : rest;
  return more.length > 0 ? undefined : { group, version, plural, namespace, name, subresource };
}

/** The verb of a method on a collection or on one object; undefined when there is none. */
export function verbOf(method: string, named: boolean, query: Readonly<Record<string, string>>): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return named ? 'get' : booleanOf(query['watch']) === true ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

function decode(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
