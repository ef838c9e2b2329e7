// SPDX-License-Identifier: Apache-2.0
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Forwards bytes both ways; each direction closes separately, and an error on one side resets the other. */
export function pipeSockets(one: Duplex, other: Duplex): void {
  pipeOneWay(one, other);
  pipeOneWay(other, one);
}

function pipeOneWay(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => reset(to));
  from.on('close', () => {
    if (!from.readableEnded) reset(to);
  });
}

/** Sends a TCP reset, as without a proxy; closes a Unix socket, which has no reset. */
export function reset(socket: Duplex): void {
  const isTcp = 'remoteAddress' in socket && socket.remoteAddress !== undefined;
  if (isTcp && !socket.destroyed) (socket as Socket).resetAndDestroy();
  else socket.destroy();
}
