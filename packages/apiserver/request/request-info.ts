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
  const parts = decode(path).split('/');
  // A slash at the end changes nothing.
  if (parts.length > 4 && parts.at(-1) === '') parts.pop();
  const [, root, first = '', second = ''] = parts;
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const start = isCore ? 3 : 4;
  if (parts.length <= start || parts.includes('', start)) return undefined;
  // The subresources of a namespace are the only words that may follow its name and are not resources inside it.
  const inside = parts[start] === 'namespaces' ? parts[start + 2] : undefined;
  const isInside = inside !== undefined && inside !== 'status' && inside !== 'finalize';
  const at = isInside ? start + 2 : start;
  if (parts.length > at + 3) return undefined;
  return {
    group: isCore ? '' : first,
    version: isCore ? first : second,
    plural: parts[at] ?? '',
    namespace: isInside ? parts[start + 1] : undefined,
    name: parts[at + 1],
    subresource: parts[at + 2],
  };
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
