// SPDX-License-Identifier: Apache-2.0
import { jsonPayload, lazyPayload } from '../payload.ts';
import type { ServerResponse } from '../server-request.ts';

const head = { swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' }, paths: {} };

/**
 * What /openapi/v2 says: that there is such a document, and nothing of what /openapi/v3 describes. kubectl asks for it
 * when it is given a List, of which version 3 knows nothing, and leaves to the server what is not in it.
 */
export function openApiV2(accept = ''): ServerResponse {
  if (!accept.includes('protobuf')) return { status: 200, payload: jsonPayload(head) };
  return {
    status: 200,
    contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    payload: lazyPayload(() => head, encoded),
  };
}

function encoded(): Uint8Array {
  const { title, version } = head.info;
  const info = Buffer.concat([field(1, Buffer.from(title)), field(2, Buffer.from(version))]);
  return Buffer.concat([field(1, Buffer.from(head.swagger)), field(2, info), field(8, Buffer.alloc(0))]);
}

/** A field of a protobuf message that holds fewer than 128 bytes. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  return Uint8Array.of((number << 3) | 2, bytes.length, ...bytes);
}
