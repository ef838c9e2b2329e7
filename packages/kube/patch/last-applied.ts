// SPDX-License-Identifier: Apache-2.0
import { isObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Shape } from '../schema/shape.ts';
import { compareFields } from './compare-fields.ts';
import { difference, type FieldSet, leaf } from './field-set.ts';
import { claimedFields } from './fields-of.ts';
import { ownableFields } from './managers.ts';

/** The annotation in which `kubectl apply` stores the object that it applied last. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The fields that `kubectl apply` wrote and that have not changed since. */
export function lastAppliedFields(live: KubeObject, shape: Shape): FieldSet {
  const last = parse(live.metadata.annotations?.[annotation]);
  if (last === undefined) return leaf;
  const applied = ownableFields(last);
  const { changed, removed } = compareFields(applied, ownableFields(live), shape);
  return difference(difference(claimedFields(applied, shape), changed), removed);
}

/** The object with that annotation updated; the object itself when it has none. */
export function withLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (annotations?.[annotation] === undefined) return object;
  const text = `${JSON.stringify(applied, inOrder)}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: text } } };
}

function parse(text: string | undefined): KubeObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as KubeObject;
    return isObject(value) && isObject(value.metadata) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Fields in alphabetical order, as Go writes maps. */
function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
