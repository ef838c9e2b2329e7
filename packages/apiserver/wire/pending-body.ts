// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReceiver } from './body-receiver.ts';

/** A request body that has not been read yet. */
interface PendingBody {
  /** May be called again: a request is retried after a storage failure. */
  read: () => Promise<Uint8Array>;
  /** Discards the body unless it was read; the client has limited time to send the rest. */
  abandon: () => void;
}

/** The body of a request, received only when it is read. */
export function pendingBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, stallTimeout }: { bodies: BodyReceiver; stallTimeout: number },
): PendingBody {
  const waits = request.headers.expect?.toLowerCase() === '100-continue';
  let reading: Promise<Uint8Array> | undefined;
  return {
    read() {
      // A retried request reads the same body again.
      if (reading === undefined && waits) response.writeContinue();
      return (reading ??= bodies.read(request));
    },
    abandon() {
      if (reading !== undefined) return;
      // The client may send the body even without 100 Continue, so the connection cannot be reused.
      if (waits) response.shouldKeepAlive = false;
      const overdue = setTimeout(() => request.destroy(), stallTimeout);
      request.once('close', () => clearTimeout(overdue)).resume();
    },
  };
}
