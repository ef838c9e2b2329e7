// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse as HttpResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Sends 101 and then relays bytes in both directions until either side closes. */
export function relayUpgrade(response: HttpResponse, headers: Readonly<Record<string, string>>, other: Duplex): void {
  const socket = response.socket as Socket;
  response.writeHead(101, headers);
  response.flushHeaders();
  response.detachSocket(socket);
  // Interactive input must not be delayed, and lost peers must be detected.
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  // Errors are handled by closing the other side.
  other.on('error', () => {});
  socket.pipe(other).pipe(socket);
  closeTogether(socket, other);
  closeTogether(other, socket);
}

/** After a normal end the other side is flushed before it is closed; after an abort it is destroyed. */
function closeTogether(one: Duplex, other: Duplex): void {
  one.once('close', () => {
    if (one.readableEnded) other.end(() => other.destroy());
    else other.destroy();
  });
}
