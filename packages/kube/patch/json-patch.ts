// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, setField, type JsonObject } from '../objects/json.ts';
import { PatchError } from './patch-error.ts';

/**
 * JSON patch (RFC 6902) as in Kubernetes: a missing field whose parent exists is null to a test, and can be replaced.
 * Throws a PatchError that names the operation. Unchanged parts are shared.
 */
export function jsonPatch(document: unknown, patch: unknown, limits?: CopyLimits): unknown {
  if (!Array.isArray(patch)) throw new PatchError('A JSON patch is a list of operations');
  const patching = new PatchSession(document, limits);
  for (const operation of patch as unknown[]) patching.perform(operation);
  return patching.document;
}

type Path = readonly string[];
type Container = unknown[] | Record<string, unknown>;

/** The most bytes that one patch may copy: otherwise a few operations could exhaust memory. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** Further limits of what one patch copies; each method throws when its limit is exceeded. */
export interface CopyLimits {
  /** Counts a copied field or item: a small one takes as long as a large one. */
  addValue(): void;
  /** Checks how deep a copied value is nested: to copy it is recursive. */
  checkNesting(depth: number): void;
}

/** No document is nested that deep. */
const maxTokens = 10_000;

/** A document being patched: each part is copied on first write, then modified in place. */
export class PatchSession {
  document: unknown;
  readonly #own = new Set<unknown>();
  readonly #limits: CopyLimits | undefined;
  #copied = 0;
  /** The sizes of copied values, which do not change any more. */
  readonly #copiedSizes = new Map<unknown, number>();

  constructor(document: unknown, limits?: CopyLimits) {
    this.document = document;
    this.#limits = limits;
  }

  /** Performs one operation; the total size of copies in a session is limited. */
  perform(operation: unknown): void {
    if (!isObject(operation))
      throw new PatchError(`A JSON patch operation is an object, not ${JSON.stringify(operation)}`);
    const path = pointer(operation, 'path');
    const { value = null } = operation;
    switch (operation['op']) {
      case 'add':
        return this.#add(path, value);
      case 'remove':
        return this.#remove(path);
      case 'replace':
        return this.#replace(path, value);
      case 'move': {
        const from = pointer(operation, 'from');
        if (from.length < path.length && from.every((token, index) => token === path[index])) {
          throw new PatchError(`A value cannot move into itself: ${show(from)} to ${show(path)}`);
        }
        const moved = read(this.document, from);
        this.#remove(from);
        return this.#add(path, moved);
      }
      case 'copy':
        return this.#add(path, this.#copyOf(readOrNull(this.document, pointer(operation, 'from'))));
      case 'test':
        if (jsonEqual(readOrNull(this.document, path), value)) return;
        throw new PatchError(`testing value ${show(path)} failed: test failed`);
      default:
        throw new PatchError(`Unexpected kind of JSON patch operation: ${JSON.stringify(operation['op'])}`);
    }
  }

  #add(path: Path, value: unknown): void {
    this.#edit(path, value, (parent, token) => {
      if (Array.isArray(parent)) parent.splice(indexIn(parent, token, path, true), 0, value);
      else setField(parent, token, value);
    });
  }

  #replace(path: Path, value: unknown): void {
    this.#edit(path, value, (parent, token) => setChild(parent, token, path, value));
  }

  #remove(path: Path): void {
    if (path.length === 0) throw new PatchError('The whole document cannot be removed');
    this.#edit(path, undefined, (parent, token) => {
      if (Array.isArray(parent)) parent.splice(indexIn(parent, token, path), 1);
      else if (Object.hasOwn(parent, token)) delete parent[token];
      else {
        const why = `Unable to remove nonexistent key: ${token}: missing value`;
        throw new PatchError(`error in remove for path: '${show(path)}': ${why}`);
      }
    });
  }

  /** Changes the parent of the last token of the path; an empty path replaces the document. */
  #edit(path: Path, value: unknown, change: (parent: Container, token: string) => void): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.document = value;
      return;
    }
    this.document = this.#owned(this.document, path);
    let parent = this.document as Container;
    for (const step of path.slice(0, -1)) {
      const inside = this.#owned(child(parent, step, path), path);
      setChild(parent, step, path, inside);
      parent = inside;
    }
    change(parent, token);
  }

  /** A container that may be modified. */
  #owned(value: unknown, path: Path): Container {
    if (this.#own.has(value)) return value as Container;
    if (!Array.isArray(value) && !isObject(value)) throw missing(path);
    const copy: Container = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    this.#own.add(copy);
    return copy;
  }

  /** The same value, which both places share until one of them changes. */
  #copyOf(value: unknown): unknown {
    if (this.#limits !== undefined) measure(value, this.#limits);
    const size = this.#copiedSizes.get(value) ?? Buffer.byteLength(JSON.stringify(value));
    this.#copiedSizes.set(value, size);
    this.#copied += size;
    if (this.#copied > maxCopiedBytes) {
      const increase = `the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${maxCopiedBytes}`;
      throw new PatchError(`Unable to complete the copy, ${increase}`);
    }
    this.#disown(value);
    return value;
  }

  /** Lets the next change of a value, or of what is in it, copy it first. What is not owned contains nothing that is. */
  #disown(value: unknown): void {
    if (!this.#own.delete(value)) return;
    for (const inside of Object.values(value as Container)) this.#disown(inside);
  }
}

/** Counts the fields and items at all levels. */
function measure(value: unknown, limits: CopyLimits, depth = 1): void {
  if (typeof value !== 'object' || value === null) return;
  limits.checkNesting(depth);
  for (const name in value) {
    limits.addValue();
    measure(value[name as keyof typeof value], limits, depth + 1);
  }
}

function read(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, token) => child(value, token, path), document);
}

/** The value at the path; null when only the last field is missing. */
function readOrNull(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, token, index) => {
    const isLast = index === path.length - 1;
    return isLast && isObject(value) && !Object.hasOwn(value, token) ? null : child(value, token, path);
  }, document);
}

function setChild(parent: Container, token: string, path: Path, value: unknown): void {
  if (Array.isArray(parent)) parent[indexIn(parent, token, path)] = value;
  else setField(parent, token, value);
}

function child(value: unknown, token: string, path: Path): unknown {
  if (Array.isArray(value)) return value[indexIn(value, token, path)];
  if (!isObject(value) || !Object.hasOwn(value, token)) throw missing(path);
  return value[token];
}

/** The index of an item, counted from the end when negative, as Kubernetes allows. */
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
  const tokens = text.split('/', maxTokens + 1).slice(1);
  if (tokens.length === maxTokens) throw new PatchError(`A path of a JSON patch has fewer than ${maxTokens} parts`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function missing(path: Path): PatchError {
  return new PatchError(`doc is missing path: ${show(path)}: missing value`);
}

function show(path: Path): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
