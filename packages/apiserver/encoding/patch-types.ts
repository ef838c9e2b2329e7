// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { PatchError } from '@forge/kube/patch/patch-error.ts';
import { strategicMerge } from '@forge/kube/patch/strategic-merge.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { badRequest, statusError } from '../messages/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import { BodyLimits } from './object-size.ts';

/** Applies a patch. */
type PatchFunction = (before: unknown, patch: unknown, schema: Schema) => unknown;

/** Patch functions by content type, other than apply. */
export const patchFunctions: Readonly<Record<string, PatchFunction>> = {
  'application/json-patch+json': (before, patch) => jsonPatch(before, patch, new BodyLimits()),
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicMerge,
};

/** Maximum number of operations in a JSON patch, also in one of a webhook, as in kube-apiserver. */
export const maxPatchOperations = 10_000;

/** Content types of patches that a resource supports; custom resources have no strategic merge patch. */
export function patchTypesOf({ custom }: Resource): string[] {
  return Object.keys(patchFunctions).filter((type) => !custom || !type.includes('strategic'));
}

/** Rejects a malformed patch. */
export function checkPatch(type: string, patch: unknown): void {
  const isList = type === 'application/json-patch+json';
  if (isList && Array.isArray(patch) && patch.length > maxPatchOperations) throw tooManyOperations(patch.length);
  if (isList ? Array.isArray(patch) : isObject(patch)) return;
  const found = Array.isArray(patch) ? 'array' : typeof patch;
  const into = isList ? '[]handlers.jsonPatchOp' : 'map[string]interface {}';
  const where = type.includes('strategic') ? '' : 'error decoding patch: ';
  throw badRequest(`${where}json: cannot unmarshal ${found} into Go value of type ${into}`);
}

function tooManyOperations(count: number): Error {
  const message = `The allowed maximum operations in a JSON patch is ${maxPatchOperations}, got ${count}`;
  return statusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** The patched object; throws when the patch does not apply. */
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
