// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { decodeBody } from '../encoding/decode-body.ts';
import { checkPatch, mediaTypeOf, patched, patchFunctions, patchTypesOf } from '../encoding/patch-types.ts';
import { isLarge } from '../messages/large-body.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { statusError } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions } from '../request/write-options.ts';
import { applyObject, applyType } from './apply.ts';
import { storedObject, viewOf } from './read.ts';
import { write } from './write-request.ts';

/** Handles PATCH of an object or its status, with any patch type. */
export async function patchObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource } = request;
  const type = mediaTypeOf(request.headers['content-type']);
  const language = fieldOf(patchFunctions, type);
  if (language === undefined && type !== applyType) {
    throw statusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  }
  checkWriteOptions(language === undefined ? 'apply' : 'patch', request.query);
  // A missing object is reported before an invalid patch.
  if (language !== undefined) storedObject(server, request);
  const { value: body, size } = await decodeBody(request, [...patchTypesOf(resource), applyType]);
  if (language === undefined) return applyObject(server, request, body, size);
  checkPatch(type, body);
  if (isLarge(size)) await nextTurn();
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    (before) => ({ object: patched(language, before, body, resource.kind.schema) as KubeObject }),
  );
  return { status: 200, payload: viewOf(server, request).one(stored) };
}
