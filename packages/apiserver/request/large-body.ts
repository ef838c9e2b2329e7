// SPDX-License-Identifier: Apache-2.0

/** From here on, a request is handled in several turns of the event loop; in bytes. */
const largeSize = 32 * 1024;

/** Whether a request or an object of this size takes so long that others must be served in between. */
export function isLarge(bytes: number): boolean {
  return bytes > largeSize;
}

/** The size of a request body from the wire; 0 for the JSON value of an in-process caller. */
export function sizeOf(body: unknown): number {
  return body instanceof Uint8Array ? body.length : 0;
}
