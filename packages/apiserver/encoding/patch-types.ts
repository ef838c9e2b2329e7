// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { PatchError } from '@forge/kube/patch/patch-error.ts';
import { strategicMerge } from '@forge/kube/patch/strategic-merge.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { badRequest, statusError } from '../request/status-errors.ts';
import type { Resource } from '../resources/resource.ts';

/** Says what a patch makes of an object. */
type PatchFunction = (before: unknown, patch: unknown, schema: Schema) => unknown;

/** The classic patch languages by content type. */
export const patchFunctions: Readonly<Record<string, PatchFunction>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicMerge,
};

/** The patch languages a resource takes; a custom one knows no strategic merge, since its schema names no merge keys. */
export function patchTypesOf({ custom }: Resource): string[] {
  return Object.keys(patchFunctions).filter((type) => !custom || !type.includes('strategic'));
}

/** Refuses a patch that is none of its language. */
export function checkPatch(type: string, patch: unknown): void {
  const isList = type === 'application/json-patch+json';
  if (isList ? Array.isArray(patch) : isObject(patch)) return;
  const found = Array.isArray(patch) ? 'array' : typeof patch;
  const into = isList ? '[]handlers.jsonPatchOp' : 'map[string]interface {}';
  const where = type.includes('strategic') ? '' : 'error decoding patch: ';
  throw badRequest(`${where}json: cannot unmarshal ${found} into Go value of type ${into}`);
}

/** What the patch makes of the object; one that does not fit is refused. */
export function patched(language: PatchFunction, before: unknown, patch: unknown, schema: Schema): unknown {
  try {
    return language(before, patch, schema);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw statusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

/** The media type of a content type, without its parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim() ?? '';
}
