// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReceiver } from './body-receiver.ts';

/** A body that nobody has asked for yet. */
interface PendingBody {
  /** May be asked again: a request that met a failing disk is answered anew. */
  read: () => Promise<Uint8Array>;
  /** Says that nobody will, if nobody has: the sender of the rest gets only so much time, and nothing of it is kept. */
  abandon: () => void;
}

/** The body of a request, which is taken from its sender only when it is read. */
export function pendingBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, stallTimeout }: { bodies: BodyReceiver; stallTimeout: number },
): PendingBody {
  const waits = request.headers.expect?.toLowerCase() === '100-continue';
  let reading: Promise<Uint8Array> | undefined;
  return {
    read() {
      // Whoever answers anew reads again.
      if (reading === undefined && waits) response.writeContinue();
      return (reading ??= bodies.read(request));
    },
    abandon() {
      if (reading !== undefined) return;
      // A sender that was not told to go on may go on all the same: what follows would be ambiguous.
      if (waits) response.shouldKeepAlive = false;
      const overdue = setTimeout(() => request.destroy(), stallTimeout);
      request.once('close', () => clearTimeout(overdue)).resume();
    },
  };
}
