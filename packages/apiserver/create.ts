// SPDX-License-Identifier: Apache-2.0
import { decodeObject } from './pipeline/decode-body.ts';
import { viewOf } from './read.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { checkWriteOptions } from './write-options.ts';
import { write } from './write-request.ts';

/** Answers POST to a collection. */
export async function createObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  checkWriteOptions('create', request.query);
  const sent = await decodeObject(request.body, request.headers['content-type'], request.resource);
  const { stored } = await write(
    server,
    request,
    () => undefined,
    () => sent,
  );
  return { status: 201, payload: viewOf(server, request).one(stored) };
}
