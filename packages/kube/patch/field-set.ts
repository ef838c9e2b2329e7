// SPDX-License-Identifier: Apache-2.0
import { isObject } from '../objects/json.ts';

/**
 * A set of fields, as a trie in the form managedFields stores (FieldsV1): an edge is `f:<field>`, `k:<keys of a list
 * item>` or `v:<value of a list item>`. A node without edges is a member; one with an edge `.` is a member with
 * members below. The root is never a member: `{}` there is the empty set.
 */
export interface FieldSet {
  readonly [edge: string]: FieldSet;
}

/** A node with nothing below; at the root, the empty set. */
export const leaf: FieldSet = Object.freeze({});

/** Whether a value has the form of a field set. */
export function isFieldSet(value: unknown): value is FieldSet {
  return (
    isObject(value) && Object.entries(value).every(([edge, child]) => /^(?:\.$|[fkv]:)/.test(edge) && isFieldSet(child))
  );
}

/** Whether nothing is below the node; at the root, whether the set is empty. */
export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the node itself is in the set. */
export function isMember(node: FieldSet): boolean {
  return '.' in node || isEmpty(node);
}

/** A node with these children; undefined when neither it nor anything below is in the set. */
function nodeOf(isIn: boolean, children: Record<string, FieldSet>): FieldSet | undefined {
  if (isEmpty(children)) return isIn ? leaf : undefined;
  return isIn ? { '.': leaf, ...children } : children;
}

/** The fields in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const result: Record<string, FieldSet> = { ...a };
  for (const edge in b) result[edge] = unionNodes(a[edge], b[edge] ?? leaf);
  return result;
}

/** The fields in any of the sets; all nodes at an edge are merged together, since a union of two copies the larger one. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const [first = leaf, second = leaf] = sets;
  if (sets.length < 3) return union(first, second);
  const nodes = new Map<string, FieldSet[]>();
  for (const set of sets) {
    for (const edge in set) {
      const same = nodes.get(edge);
      const node = set[edge] ?? leaf;
      if (same === undefined) nodes.set(edge, [node]);
      else same.push(node);
    }
  }
  const result: Record<string, FieldSet> = {};
  for (const [edge, same] of nodes) result[edge] = unionOfNodes(same);
  return result;
}

function unionOfNodes(nodes: readonly FieldSet[]): FieldSet {
  const inner = nodes.filter((node) => !isEmpty(node));
  const below = unionOf(inner);
  return inner.length === nodes.length || isMember(below) ? below : { '.': leaf, ...below };
}

function unionNodes(a: FieldSet | undefined, b: FieldSet): FieldSet {
  if (a === undefined || a === b) return b;
  if (isEmpty(a)) return isMember(b) ? b : { '.': leaf, ...b };
  return isEmpty(b) ? { '.': leaf, ...a } : union(a, b);
}

/** The fields in the first set and not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return a === b ? leaf : (filtered(a, b, false, (inB) => !inB) ?? leaf);
}

/** The fields in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return filtered(a, b, false, (inB) => inB) ?? leaf;
}

/** The members of `a` that are in `b`, or those that are not; `a` itself when that is all of them. */
function filtered(
  a: FieldSet,
  b: FieldSet | undefined,
  isIn: boolean,
  keeps: (inB: boolean) => boolean,
): FieldSet | undefined {
  if (b === undefined) return keeps(false) ? a : undefined;
  const staysIn = isIn && keeps(isMember(b));
  let isWhole = staysIn === isIn;
  const children: Record<string, FieldSet> = {};
  for (const edge in a) {
    const child = a[edge];
    if (edge === '.' || child === undefined) continue;
    const kept = filtered(child, b[edge], isMember(child), keeps);
    if (kept !== child) isWhole = false;
    if (kept !== undefined) children[edge] = kept;
  }
  return isWhole ? a : nodeOf(staysIn, children);
}

/** Whether both sets have the same members. */
export function sameFields(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const edges = Object.keys(a);
  if (edges.length !== Object.keys(b).length) return false;
  return edges.every((edge) => {
    const [left, right] = [a[edge], b[edge]];
    return left !== undefined && right !== undefined && sameFields(left, right);
  });
}

/** The members as conflict messages write them: `.spec.containers[name="web"].image`; shallow ones first. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  const children = Object.entries(set)
    .filter(([edge]) => edge !== '.')
    .map(([edge, child]) => ({ path: prefix + formatEdge(edge), child }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const members = children.filter(({ child }) => isMember(child)).map(({ path }) => path);
  return [...members, ...children.flatMap(({ path, child }) => pathsOf(child, path))];
}

/** An edge in that form: `.image`, `[name="web"]`. */
export function formatEdge(edge: string): string {
  const name = edge.slice(2);
  if (edge.startsWith('f:')) return `.${name}`;
  if (edge.startsWith('v:')) return `[=${name}]`;
  const keys = Object.entries(JSON.parse(name) as Record<string, unknown>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
}
