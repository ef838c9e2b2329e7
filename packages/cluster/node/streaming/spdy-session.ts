// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import { channel, type Channel } from './channel.ts';
import { controls, readSpdyFrames, spdyControl, spdyData } from './spdy-frames.ts';
import { emptyHeaderBlocks, spdyHeaderReader } from './spdy-headers.ts';
import { writeTo } from './write-to.ts';

const cancelled = Buffer.from([0, 0, 0, 5]);

/** Far more than port-forwarding needs at the same time. */
const maxStreams = 1024;

/** A stream opened by the client. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  readonly stream: Duplex;
}

/**
 * Serves SPDY/3.1: accepts each stream the client opens; resolves when the connection and its streams have ended.
 *
 * Flow control windows are not implemented: Kubernetes' clients do not use them. A stream that is not read blocks the
 * others.
 */
export async function serveSpdy(connection: Duplex, accept: (opened: SpdyStream) => void): Promise<void> {
  const channels = new Map<number, Channel>();
  const readHeaders = spdyHeaderReader();
  const emptyBlock = emptyHeaderBlocks();
  const send = (frame: Buffer) => writeTo(connection, frame);

  async function open(payload: Buffer, last: boolean): Promise<void> {
    if (channels.size >= maxStreams) throw new Error(`more than ${maxStreams} streams are open`);
    const id = payload.readUInt32BE();
    const headers = await readHeaders(payload.subarray(10));
    const opened = channel(
      (bytes) => send(spdyData(id, bytes)),
      () => send(spdyData(id, Buffer.alloc(0), true)),
    );
    const name = payload.subarray(0, 4);
    opened.stream.once('close', () => {
      channels.delete(id);
      const { readableEnded, writableFinished } = opened.stream;
      if (!readableEnded || !writableFinished) void send(spdyControl(controls.reset, Buffer.concat([name, cancelled])));
    });
    channels.set(id, opened);
    await send(spdyControl(controls.reply, Buffer.concat([name, emptyBlock()])));
    if (last) opened.end();
    accept({ headers, stream: opened.stream });
  }

  async function control(kind: number, payload: Buffer, last: boolean): Promise<void> {
    if (kind === controls.openStream) return open(payload, last);
    if (kind === controls.ping) return send(spdyControl(controls.ping, payload));
    if (kind === controls.reset) channels.get(payload.readUInt32BE())?.stream.destroy();
  }

  try {
    for await (const frame of readSpdyFrames(connection)) {
      if (frame.type === 'control') {
        await control(frame.control, frame.payload, frame.last);
        continue;
      }
      const meant = channels.get(frame.stream);
      await meant?.receive(frame.payload);
      if (frame.last) meant?.end();
    }
  } finally {
    for (const { stream } of channels.values()) stream.destroy();
    connection.destroy();
  }
}
