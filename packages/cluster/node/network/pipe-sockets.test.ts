// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pipeSockets } from './pipe-sockets.ts';

/** Both ends of a connection to a server listening at `at`. */
async function pairOn(server: Server, at: string | number): Promise<[client: Socket, served: Socket]> {
  await once(typeof at === 'string' ? server.listen(at) : server.listen(at, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo | string;
  const client = connect({
    allowHalfOpen: true,
    ...(typeof address === 'string' ? { path: address } : { port: address.port }),
  });
  const [served] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [client, served];
}

/** Two TCP connections, piped together. */
async function joinedTcp(): Promise<[one: Socket, other: Socket]> {
  const [one, oneServed] = await pairOn(createServer({ allowHalfOpen: true }), 0);
  const [other, otherServed] = await pairOn(createServer({ allowHalfOpen: true }), 0);
  pipeSockets(oneServed, otherServed);
  return [one, other];
}

/** A TCP and a Unix connection, piped together: the far end of one reads what the far end of the other writes. */
async function withJoined(use: (tcp: Socket, unix: Socket) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-test-'));
  const [tcp, tcpServed] = await pairOn(createServer({ allowHalfOpen: true }), 0);
  const [unix, unixServed] = await pairOn(createServer({ allowHalfOpen: true }), join(folder, 'a.sock'));
  pipeSockets(tcpServed, unixServed);
  try {
    await use(tcp, unix);
  } finally {
    tcp.destroy();
    unix.destroy();
    await rm(folder, { recursive: true });
  }
}

describe('piped sockets', () => {
  test('forward bytes both ways, and the end of each half', () =>
    withJoined(async (tcp, unix) => {
      tcp.end('over');
      assert.equal(String((await once(unix, 'data'))[0]), 'over');
      await once(unix, 'end');
      unix.end('back');
      assert.equal(String((await once(tcp, 'data'))[0]), 'back');
    }));

  test('a reset TCP side resets the other TCP side, so that partial data is not mistaken for complete', async () => {
    const [one, other] = await joinedTcp();
    const failed = once(other.resume(), 'close').then(
      () => 'closed',
      (error: NodeJS.ErrnoException) => error.code,
    );
    one.resetAndDestroy();
    assert.equal(await failed, 'ECONNRESET');
  });

  test('a reset TCP side closes the Unix side', () =>
    withJoined(async (tcp, unix) => {
      unix
        .resume()
        .on('error', () => {})
        .on('end', () => unix.end());
      tcp.resetAndDestroy();
      await once(unix, 'close');
    }));

  test('a closed Unix side closes the TCP side', () =>
    withJoined(async (tcp, unix) => {
      tcp
        .resume()
        .on('error', () => {})
        .on('end', () => tcp.end());
      unix.destroy();
      await once(tcp, 'close');
    }));
});
