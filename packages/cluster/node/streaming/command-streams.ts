// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import { channel, type Channel } from './channel.ts';
import type { ServerWebSocket } from './server-web-socket.ts';
import { serveSpdy } from './spdy-session.ts';

/** In the order of their WebSocket channel numbers. */
const names = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;

/** The streams of a command; `error` is for its result, `resize` for the terminal's size. */
export type StreamName = (typeof names)[number];

/** The client's end of a command's streams. */
export interface CommandStreams {
  readonly streams: Readonly<Partial<Record<StreamName, Duplex>>>;
  /** Resolves when the connection has ended. */
  readonly gone: Promise<void>;
  /** Closes the connection when everything has been sent. */
  close(): Promise<void>;
}

/** The channel number with which a v5 client closes a channel. */
const closeChannel = 255;

/** The streams as channels of a WebSocket: the first byte of each message is the channel number. */
export function webSocketStreams(socket: ServerWebSocket, wanted: readonly StreamName[]): CommandStreams {
  const channels = new Map<number, Channel>();
  const streams: Partial<Record<StreamName, Duplex>> = {};
  for (const name of wanted) {
    const number = names.indexOf(name);
    const send = (bytes: Buffer) => socket.send(Buffer.concat([Buffer.from([number]), bytes]));
    const opened = channel(send, () => Promise.resolve());
    channels.set(number, opened);
    streams[name] = opened.stream;
  }
  const receive = async () => {
    for await (const message of socket.messages()) {
      const [number = 0, closed = 0] = message;
      if (number === closeChannel) channels.get(closed)?.end();
      else await channels.get(number)?.receive(message.subarray(1));
    }
    for (const { stream } of channels.values()) stream.destroy();
  };
  return { streams, gone: receive(), close: () => socket.close() };
}

/** The streams that the client opens in a SPDY connection; resolves when the requested ones exist. */
export async function spdyStreams(connection: Duplex, wanted: readonly StreamName[]): Promise<CommandStreams> {
  const streams: Partial<Record<StreamName, Duplex>> = {};
  const complete = Promise.withResolvers<void>();
  const gone = serveSpdy(connection, ({ headers, stream }) => {
    const name = names.find((each) => each === headers.get('streamtype'));
    if (name === undefined || streams[name] !== undefined) return void stream.destroy();
    streams[name] = stream;
    if (wanted.every((each) => streams[each] !== undefined)) complete.resolve();
  }).catch(() => {});
  await Promise.race([complete.promise, gone]);
  return { streams, gone, close: async () => void connection.end() };
}
