// SPDX-License-Identifier: Apache-2.0
import { decodeObject } from './pipeline/decode-body.ts';
import { storedObject, viewOf } from './read.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { checkWriteOptions } from './write-options.ts';
import { write } from './write-request.ts';

/** Answers PUT of an object or of its status. */
export async function updateObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  checkWriteOptions('update', request.query);
  const sent = await decodeObject(request.body, request.headers['content-type'], request.resource);
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    () => sent,
  );
  return { status: 200, payload: viewOf(server, request).one(stored) };
}
