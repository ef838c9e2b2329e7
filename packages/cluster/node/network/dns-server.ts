// SPDX-License-Identifier: Apache-2.0
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { decodeQuery, encodeAnswer, MalformedQueryError } from './dns-message.ts';
import type { DnsZone } from './dns-zone.ts';

/** The maximum datagram size without EDNS. */
const datagramLimit = 512;

/** A connection without traffic is closed after this time; resolvers reconnect. */
const maxIdle = seconds(10);

/** Serves the current zone on `address`, port 53, over UDP and TCP, until the signal aborts. */
export async function serveDns(
  address: string,
  zone: () => DnsZone,
  limits: ConnectionLimits,
  signal: AbortSignal,
): Promise<void> {
  const udp = createSocket('udp4');
  answerDatagrams(udp, zone);
  const tcp = createServer({ allowHalfOpen: false }, (socket) => acceptStream(socket, zone, limits));
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

/** Answers each datagram. */
export function answerDatagrams(udp: UdpSocket, zone: () => DnsZone): void {
  // A datagram that could not be received is lost, as in any network; `bound` reports what goes wrong before.
  udp.on('error', () => undefined);
  udp.on('message', (message, peer) => {
    const reply = replyTo(message, zone(), datagramLimit);
    if (reply) udp.send(reply, peer.port, peer.address);
  });
}

/** Answers a connection that the limits admit. */
export function acceptStream(socket: Socket, zone: () => DnsZone, limits: ConnectionLimits): void {
  if (limits.admit(socket, maxIdle)) answerStream(socket, zone);
}

/** Answers the queries of a connection; whoever does not read the answers is not read either. */
export function answerStream(socket: Duplex, zone: () => DnsZone): void {
  pipeline(
    socket,
    (queries: AsyncIterable<Buffer>) => answersTo(queries, zone),
    socket,
    () => socket.destroy(),
  );
}

/** Over TCP, each message is length-prefixed. Ends at the first that is no query. */
async function* answersTo(queries: AsyncIterable<Buffer>, zone: () => DnsZone): AsyncGenerator<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of queries) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const reply = replyTo(received.subarray(2, end), zone());
      received = received.subarray(end);
      if (!reply) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      yield Buffer.concat([length, reply]);
    }
  }
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
