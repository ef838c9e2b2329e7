// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { PatchError } from '@forge/kube/patch/patch-error.ts';
import { strategicMerge } from '@forge/kube/patch/strategic-merge.ts';
import { applyObject, applyType } from './apply.ts';
import { decodeBody } from './pipeline/decode-body.ts';
import { storedObject, viewOf } from './read.ts';
import { refusal } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { Resource } from './resource.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { write } from './write-request.ts';

type Patch = (before: KubeObject, patch: unknown, resource: Resource) => unknown;

const patches: Readonly<Record<string, Patch>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': (before, patch, { kind }) => strategicMerge(before, patch, kind.schema),
};

/** Answers PATCH of an object or of its status, in any of the patch languages. */
export async function patchObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource } = request;
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim() ?? '';
  const body = await decodeBody(request.body, type, patchTypes(resource));
  const patch = patches[type];
  if (patch === undefined) return applyObject(server, request, body);
  const { stored, warnings } = await write(
    server,
    request,
    () => storedObject(server, request),
    (before) => ({ object: patched(patch, before as KubeObject, body, resource) }),
  );
  return { status: 200, payload: viewOf(server, request).one(stored), warnings };
}

/** Custom resources know no strategic merge: their schema names no merge keys. */
function patchTypes({ custom }: Resource): string[] {
  const types = [...Object.keys(patches), applyType];
  return custom ? types.filter((type) => !type.includes('strategic')) : types;
}

function patched(patch: Patch, before: KubeObject, body: unknown, resource: Resource): KubeObject {
  try {
    return patch(before, body, resource) as KubeObject;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw refusal(422, 'Invalid', `the server rejected our request due to an error in our request: ${error.message}`);
  }
}
