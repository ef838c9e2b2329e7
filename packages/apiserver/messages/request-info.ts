// SPDX-License-Identifier: Apache-2.0
import { booleanOf } from './query-values.ts';

/** The resource that a path under /api or /apis names. */
export interface ResourcePath {
  group: string;
  version: string;
  plural: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
  /** What follows the subresource: the path on a proxied Service. */
  subpath: string;
}

/** An RBAC verb. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** Parses a resource path; undefined for any other path. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decodePath(path).split('/');
  const [, root, first = '', second = ''] = parts;
  const isCore = root === 'api';
  if (!isCore && root !== 'apis') return undefined;
  const start = isCore ? 3 : 4;
  // Only the subresources of a namespace may follow its name without being resources inside it.
  const inside = parts[start] === 'namespaces' ? parts[start + 2] : undefined;
  const isInside = inside !== undefined && inside !== 'status' && inside !== 'finalize';
  const at = isInside ? start + 2 : start;
  const isProxied = isCore && parts[at] === 'services' && parts[at + 2] === 'proxy';
  const below = isProxied ? parts.splice(at + 3) : [];
  // A trailing slash is ignored.
  if (parts.length > 4 && parts.at(-1) === '') parts.pop();
  if (parts.length <= start || parts.includes('', start) || parts.length > at + 3) return undefined;
  return {
    group: isCore ? '' : first,
    version: isCore ? first : second,
    plural: parts[at] ?? '',
    namespace: isInside ? parts[start + 1] : undefined,
    name: parts[at + 1],
    subresource: parts[at + 2],
    subpath: below.map((part) => `/${part}`).join(''),
  };
}

/** The verb of an HTTP method on a collection or object; undefined for other methods. */
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

/** A path without percent-encoding; one that is not valid stays as it is. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
