// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import { channel } from './channel.ts';
import type { ServerWebSocket } from './server-web-socket.ts';

/** A byte stream tunnelled through the messages of a WebSocket. */
export function webSocketTunnel(socket: ServerWebSocket): Duplex {
  const tunnel = channel(
    (bytes) => socket.send(bytes),
    () => socket.close(),
  );
  const receive = async () => {
    for await (const message of socket.messages()) await tunnel.receive(message);
    tunnel.end();
  };
  void receive().catch((error: Error) => tunnel.stream.destroy(error));
  return tunnel.stream;
}
