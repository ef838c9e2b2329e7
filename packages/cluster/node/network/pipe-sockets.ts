// SPDX-License-Identifier: Apache-2.0
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Carries bytes both ways; each half ends on its own, and a break of one side breaks the other. */
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

/** The peer sees a reset, as it would have without us in between; a Unix socket knows none and is closed. */
export function reset(socket: Duplex): void {
  const isTcp = 'remoteAddress' in socket && socket.remoteAddress !== undefined;
  if (isTcp && !socket.destroyed) (socket as Socket).resetAndDestroy();
  else socket.destroy();
}
