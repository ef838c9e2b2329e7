// SPDX-License-Identifier: Apache-2.0
import type { ResourceRequest } from '../context/resource-request.ts';
import type { ServerContext } from '../context/server-context.ts';
import { checkWriteOptions } from '../context/write-options.ts';
import { decodeObject } from '../encoding/decode-body.ts';
import type { ServerResponse } from '../request/server-request.ts';
import { viewOf } from './read.ts';
import { write } from './write-request.ts';

/** Handles POST to a collection. */
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
