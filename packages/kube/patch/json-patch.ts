// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, type JsonObject } from '../json.ts';
import { PatchError } from './patch-error.ts';

/** JSON patch (RFC 6902); throws a PatchError that names the operation. Unchanged parts are shared. */
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
  switch (operation['op']) {
    case 'add':
      return add(document, path, valueOf(operation));
    case 'remove':
      return remove(document, path);
    case 'replace':
      read(document, path);
      return path.length === 0 ? valueOf(operation) : replace(document, path, valueOf(operation));
    case 'move': {
      const from = pointer(operation, 'from');
      if (from.length < path.length && from.every((token, index) => token === path[index])) {
        throw new PatchError(`A value cannot move into itself: ${show(from)} to ${show(path)}`);
      }
      return add(remove(document, from), path, read(document, from));
    }
    case 'copy':
      return add(document, path, read(document, pointer(operation, 'from')));
    case 'test':
      if (!jsonEqual(read(document, path), valueOf(operation))) {
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
    child(parent, token, path);
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

function indexIn(list: readonly unknown[], token: string, path: Path, mayAppend = false): number {
  if (mayAppend && token === '-') return list.length;
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  if (!(index < list.length + (mayAppend ? 1 : 0)))
    throw new PatchError(`${show(path)}: there is no list item ${token}`);
  return index;
}

function pointer(operation: JsonObject, field: 'path' | 'from'): Path {
  const text = operation[field];
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) {
    throw new PatchError(`A JSON patch operation needs a ${field} like /spec/replicas, not ${JSON.stringify(text)}`);
  }
  const tokens = text.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueOf(operation: JsonObject): unknown {
  if (!Object.hasOwn(operation, 'value')) {
    throw new PatchError(`The JSON patch operation ${JSON.stringify(operation['op'])} needs a value`);
  }
  return operation['value'];
}

function missing(path: Path): PatchError {
  return new PatchError(`doc is missing path: ${show(path)}: missing value`);
}

function show(path: Path): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
