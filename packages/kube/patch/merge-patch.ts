// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject, withField } from '../json.ts';

/** JSON merge patch (RFC 7386): null removes, objects merge, all else replaces. Unchanged parts are shared. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  let result: JsonObject = isObject(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    result = withField(result, key, value === null ? undefined : mergePatch(result[key], value));
  }
  return result;
}
