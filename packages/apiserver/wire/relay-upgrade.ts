// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse as HttpResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Agrees to the caller's protocol and from then on carries bytes both ways until either side ends. */
export function relayUpgrade(response: HttpResponse, headers: Readonly<Record<string, string>>, other: Duplex): void {
  const socket = response.socket as Socket;
  response.writeHead(101, headers);
  response.flushHeaders();
  response.detachSocket(socket);
  // Keys are typed one by one; and a caller whose machine is gone never says so.
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  // Whichever side breaks, its end is what the other has to know.
  other.on('error', () => {});
  socket.pipe(other).pipe(socket);
  closeTogether(socket, other);
  closeTogether(other, socket);
}

/** When one side is done, the other still gets what was said to it; when it broke off, nobody waits any more. */
function closeTogether(one: Duplex, other: Duplex): void {
  one.once('close', () => {
    if (one.readableEnded) other.end(() => other.destroy());
    else other.destroy();
  });
}
