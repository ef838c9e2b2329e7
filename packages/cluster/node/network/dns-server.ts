// SPDX-License-Identifier: Apache-2.0
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { decodeQuery, encodeAnswer, MalformedQueryError } from './dns-message.ts';
import type { DnsZone } from './dns-zone.ts';

/** The maximum datagram size without EDNS. */
const datagramLimit = 512;

/** Resolvers that keep a connection open reconnect. */
const longestIdle = seconds(10);

/** Serves the current zone on `address`, port 53, over UDP and TCP, until the signal aborts. */
export async function serveDns(
  address: string,
  zone: () => DnsZone,
  limits: ConnectionLimits,
  signal: AbortSignal,
): Promise<void> {
  const udp = createSocket('udp4');
  udp.on('message', (message, peer) => {
    const reply = replyTo(message, zone(), datagramLimit);
    if (reply) udp.send(reply, peer.port, peer.address);
  });
  const tcp = createServer({ allowHalfOpen: false }, (socket) => {
    if (limits.admit(socket, longestIdle)) serveStream(socket, zone);
  });
  signal.addEventListener('abort', () => {
    udp.close();
    tcp.close();
  });
  await Promise.all([bound(udp, address), once(tcp.listen(53, address), 'listening')]);
}

async function bound(udp: UdpSocket, address: string): Promise<void> {
  udp.bind(53, address);
  await once(udp, 'listening');
}

/** Over TCP, each message is length-prefixed. */
function serveStream(socket: Socket, zone: () => DnsZone): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const reply = replyTo(received.subarray(2, end), zone());
      received = received.subarray(end);
      if (!reply) return void socket.destroy();
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([length, reply]));
    }
  });
}

function replyTo(message: Buffer, zone: DnsZone, limit?: number): Buffer | undefined {
  try {
    const query = decodeQuery(message);
    return encodeAnswer(query, zone.answer(query.name, query.type), limit);
  } catch (error) {
    if (error instanceof MalformedQueryError) return error.reply;
    throw error;
  }
}
