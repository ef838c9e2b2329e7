// SPDX-License-Identifier: Apache-2.0
import { Readable } from 'node:stream';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';

/** A client whose streams are its whole responses, in two pieces. */
export function withStreams({ send }: Pick<HttpClient, 'send'>): HttpClient {
  return {
    send,
    async stream(request) {
      const { body, ...head } = await send(request);
      const middle = Math.ceil(body.length / 2);
      const pieces = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
      return { ...head, body: Readable.from(pieces) };
    },
  };
}
