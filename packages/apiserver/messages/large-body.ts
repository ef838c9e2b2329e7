// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest } from './server-request.ts';

/** Larger requests, in bytes, are handled in several turns of the event loop. */
const largeSize = 32 * 1024;

/** Whether a request or object of this size takes so long that it must yield to other requests. */
export function isLarge(bytes: number): boolean {
  return bytes > largeSize;
}

/** The size of a request body from the wire; 0 for the JSON value of an in-process caller. */
export function sizeOf(body: unknown): number {
  return body instanceof Uint8Array ? body.length : 0;
}

/** The size of a body that has not been read; without a declared length it may be of any size. */
export function sentSizeOf({ headers }: Pick<ServerRequest, 'headers'>): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}
