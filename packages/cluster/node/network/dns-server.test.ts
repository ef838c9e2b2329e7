// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ConnectionLimits } from './connection-limits.ts';
import { encodeName, recordTypes, responseCodes } from './dns-message.ts';
import { acceptStream, answerDatagrams, answerStream } from './dns-server.ts';
import type { DnsZone } from './dns-zone.ts';

const addresses = Array.from({ length: 100 }, (_, index) => `10.244.1.${index}`);
const zone: DnsZone = {
  addressesOf: () => addresses,
  answer: () => ({ code: responseCodes.NOERROR, addresses, zone: 'cluster.local' }),
};

/** A query as it is sent over UDP. */
const query = Buffer.concat([
  Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  encodeName('db.default.svc.cluster.local'),
  Buffer.from([0, recordTypes.A, 0, 1]),
]);

/** Over TCP, it begins with its length. */
const prefixed = Buffer.concat([Buffer.from([0, query.length]), query]);
/** The length of an answer over TCP: to its question, with 100 addresses. */
const answerLength = 2 + query.length + addresses.length * 16;

/** A client, and the connection that serves it. */
function servedClient(): [client: Duplex, served: Duplex] {
  const [client, served] = duplexPair();
  answerStream(served, () => zone);
  return [client, served];
}

async function receivedBy(client: Duplex): Promise<number> {
  let bytes = 0;
  for await (const chunk of client) bytes += (chunk as Buffer).length;
  return bytes;
}

describe('DNS over TCP', () => {
  test('answers every query of a connection, however it is chunked', async () => {
    const [client] = servedClient();
    const received = receivedBy(client);
    for (const byte of prefixed) client.write(Buffer.from([byte]));
    client.end(Buffer.concat([prefixed, prefixed]));
    assert.equal(await received, 3 * answerLength);
  });

  test('answers only connections that the limits admit, and closes those without traffic after ten seconds', async () => {
    const idles: (number | undefined)[] = [];
    for (const admitted of [true, false]) {
      const [client, served] = duplexPair();
      const limits: ConnectionLimits = {
        admit(_, idle) {
          idles.push(idle);
          return admitted;
        },
      };
      acceptStream(served as Socket, () => zone, limits);
      client.end(prefixed);
      if (admitted) assert.equal(await receivedBy(client), answerLength);
      else assert.equal(served.readableFlowing, null);
    }
    assert.deepEqual(idles, [10_000, 10_000]);
  });

  test('reads no further query of a client that does not read the answers', async () => {
    const [client, served] = servedClient();
    const queries = 2000;
    client.end(Buffer.concat(Array.from({ length: queries }, () => prefixed)));
    let most = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      await setImmediate();
      most = Math.max(most, served.writableLength);
    }
    assert.ok(most < 1024 * 1024, `${most} bytes waited for the client`);
    assert.equal(await receivedBy(client), queries * answerLength);
  });

  test('closes a connection with something else than a query', async () => {
    const [client] = servedClient();
    const closed = once(client.resume(), 'close');
    client.write(Buffer.concat([prefixed, Buffer.from([0, 1, 0])]));
    await closed;
  });

  test('a connection that breaks while answers wait does not harm the server', async () => {
    const [client, served] = servedClient();
    client.write(Buffer.concat(Array.from({ length: 1000 }, () => prefixed)));
    await setImmediate();
    served.destroy(new Error('read ECONNRESET'));
    await setImmediate();
    assert.ok(served.destroyed);
  });
});

test('DNS over UDP survives an error of its socket, and answers the next query', async (context) => {
  const [udp, client] = [createSocket('udp4'), createSocket('udp4')];
  context.after(() => {
    udp.close();
    client.close();
  });
  answerDatagrams(udp, () => zone);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  udp.emit('error', new Error('recvmsg ENOBUFS'));
  client.send(query, udp.address().port, '127.0.0.1');
  const [answer] = (await once(client, 'message')) as [Buffer];
  assert.equal(answer.readUInt16BE(0), 0x1234);
});
