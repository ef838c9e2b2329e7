// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject, withFields, fieldOf } from '../objects/json.ts';

/** JSON merge patch (RFC 7386): null removes, objects merge, other values replace. Unchanged parts are shared. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? target : {};
  const changes = Object.entries(patch).map(
    ([key, value]) => [key, value === null ? undefined : mergePatch(fieldOf(merged, key), value)] as const,
  );
  return withFields(merged, changes);
}
