// SPDX-License-Identifier: Apache-2.0
import { decodeObject } from '../encoding/decode-body.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions } from '../request/write-options.ts';
import { viewOf } from './read.ts';
import { write } from './write-request.ts';

/** Handles POST to a collection. */
export async function createObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  checkWriteOptions('create', request.query);
  const sent = await decodeObject(request, request.resource);
  const { stored } = await write(
    server,
    request,
    () => undefined,
    () => sent,
  );
  return { status: 201, payload: viewOf(server, request).one(stored) };
}
