// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, type JsonObject } from '../json.ts';
import { PatchError } from './patch-error.ts';

/**
 * JSON patch (RFC 6902) as Kubernetes does it: what is not there is null to a test and can be replaced, where something
 * could hold it. Throws a PatchError that names the operation. Unchanged parts are shared.
 */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new PatchError('A JSON patch is a list of operations');
  return patch.reduce<unknown>((current, operation: unknown) => {
    if (!isObject(operation))
      throw new PatchError(`A JSON patch operation is an object, not ${JSON.stringify(operation)}`);
    return perform(current, operation);
  }, document);
}

function perform(document: unknown, operation: JsonObject): unknown {
  const path = pointer(operation, 'path');
  const { value = null } = operation;
  switch (operation['op']) {
    case 'add':
      return add(document, path, value);
    case 'remove':
      return remove(document, path);
    case 'replace':
      return path.length === 0 ? value : replace(document, path, value);
    case 'move': {
      const from = pointer(operation, 'from');
      if (from.length < path.length && from.every((token, index) => token === path[index])) {
        throw new PatchError(`A value cannot move into itself: ${show(from)} to ${show(path)}`);
      }
      return add(remove(document, from), path, read(document, from));
    }
    case 'copy':
      return add(document, path, readOrNothing(document, pointer(operation, 'from')));
    case 'test':
      if (!jsonEqual(readOrNothing(document, path), value)) {
        throw new PatchError(`testing value ${show(path)} failed: test failed`);
      }
      return document;
    default:
      throw new PatchError(`Unexpected kind of JSON patch operation: ${JSON.stringify(operation['op'])}`);
  }
}

type Path = readonly string[];

function read(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, token) => child(value, token, path), document);
}

/** The value at the path; null when what should hold it is there and does not. */
function readOrNothing(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, token, index) => {
    const isLast = index === path.length - 1;
    return isLast && isObject(value) && !Object.hasOwn(value, token) ? null : child(value, token, path);
  }, document);
}

function add(document: unknown, path: Path, value: unknown): unknown {
  if (path.length === 0) return value;
  return edit(document, path, (parent, token) =>
    Array.isArray(parent)
      ? parent.toSpliced(indexIn(parent, token, path, true), 0, value)
      : { ...parent, [token]: value },
  );
}

function replace(document: unknown, path: Path, value: unknown): unknown {
  return edit(document, path, (parent, token) =>
    Array.isArray(parent) ? parent.with(indexIn(parent, token, path), value) : { ...parent, [token]: value },
  );
}

function remove(document: unknown, path: Path): unknown {
  if (path.length === 0) throw new PatchError('The whole document cannot be removed');
  return edit(document, path, (parent, token) => {
    if (Array.isArray(parent)) return parent.toSpliced(indexIn(parent, token, path), 1);
    if (!Object.hasOwn(parent, token)) {
      const why = `Unable to remove nonexistent key: ${token}: missing value`;
      throw new PatchError(`error in remove for path: '${show(path)}': ${why}`);
    }
    const { [token]: _, ...rest } = parent;
    return rest;
  });
}

/** Rebuilds the containers along the path, with the last one changed. */
function edit(
  value: unknown,
  path: Path,
  change: (parent: unknown[] | JsonObject, token: string) => unknown,
  depth = 0,
): unknown {
  const token = path[depth] ?? '';
  if (!Array.isArray(value) && !isObject(value)) throw missing(path);
  if (depth === path.length - 1) return change(value, token);
  const edited = edit(child(value, token, path), path, change, depth + 1);
  return Array.isArray(value) ? value.with(indexIn(value, token, path), edited) : { ...value, [token]: edited };
}

function child(value: unknown, token: string, path: Path): unknown {
  if (Array.isArray(value)) return value[indexIn(value, token, path)];
  if (!isObject(value) || !Object.hasOwn(value, token)) throw missing(path);
  return value[token];
}

/** The place of an item, counted from the end when negative, as Kubernetes allows. */
function indexIn(list: readonly unknown[], token: string, path: Path, mayAppend = false): number {
  if (mayAppend && token === '-') return list.length;
  const size = list.length + (mayAppend ? 1 : 0);
  const index = /^[+-]?\d+$/.test(token) ? Number(token) : Number.NaN;
  if (!(index < size && index >= -size)) throw new PatchError(`${show(path)}: there is no list item ${token}`);
  return index < 0 ? index + size : index;
}

function pointer(operation: JsonObject, field: 'path' | 'from'): Path {
  const text = operation[field];
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) {
    throw new PatchError(`A JSON patch operation needs a ${field} like /spec/replicas, not ${JSON.stringify(text)}`);
  }
  const tokens = text.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function missing(path: Path): PatchError {
  return new PatchError(`doc is missing path: ${show(path)}: missing value`);
}

function show(path: Path): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
