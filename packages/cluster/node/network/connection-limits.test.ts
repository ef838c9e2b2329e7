// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { connectionCounts, connectionLimits } from './connection-limits.ts';

/** A connection from this address. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;
  idle = 0;
  expire = () => {};
  constructor(address: string) {
    super();
    this.remoteAddress = address;
  }
  setTimeout(idle: number, expire: () => void) {
    this.idle = idle;
    this.expire = expire;
  }
  resetAndDestroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

function limited(counts: { all: number; ofOnePod: number }) {
  const limits = connectionLimits(counts);
  return (address: string, idle?: number) => {
    const socket = new FakeSocket(address);
    return { socket, admitted: limits.admit(socket as unknown as Socket, idle) };
  };
}

test('a pod has a bounded number of connections, and gets new ones when others close', () => {
  const connect = limited({ all: 100, ofOnePod: 3 });
  const [first] = [connect('10.244.0.2'), connect('10.244.0.2'), connect('10.244.0.2')];
  const refused = connect('10.244.0.2');
  assert.deepEqual([refused.admitted, refused.socket.destroyed], [false, true]);
  assert.ok(connect('10.244.0.3').admitted);
  first.socket.resetAndDestroy();
  assert.ok(connect('10.244.0.2').admitted);
});

test('of all pods, no more connections are open than allowed, however many were reset to make room', () => {
  const connect = limited({ all: 4, ofOnePod: 4 });
  const addresses = ['10.244.0.2', '10.244.0.2', '10.244.0.2', '10.244.0.2', '10.244.0.3', '10.244.0.4', '10.244.0.5'];
  const made = addresses.map((address) => connect(address));
  assert.ok(made.every(({ admitted }) => admitted));
  assert.equal(made.filter(({ socket }) => !socket.destroyed).length, 4);
});

test('connections of the node itself are not counted', () => {
  const connect = limited({ all: 1, ofOnePod: 1 });
  for (const address of ['10.244.0.1', '10.96.0.10', '127.0.0.1']) {
    assert.deepEqual([connect(address).admitted, connect(address).admitted], [true, true]);
  }
});

test('when all pods together have too many, the pod with most connections loses one to a pod with fewer', () => {
  const connect = limited({ all: 6, ofOnePod: 5 });
  const [oldest] = Array.from({ length: 5 }, () => connect('10.244.0.2'));
  assert.ok(connect('10.244.0.3').admitted);
  assert.ok(connect('10.244.0.4').admitted);
  assert.ok(oldest?.socket.destroyed);
  assert.ok(connect('10.244.0.3').admitted);
  assert.ok(!connect('10.244.0.2').admitted);
});

test('no pod loses a connection to one that would then have more', () => {
  const connect = limited({ all: 3, ofOnePod: 3 });
  const [oldest] = [connect('10.244.0.2'), connect('10.244.0.2'), connect('10.244.0.3')];
  assert.ok(!connect('10.244.0.3').admitted);
  assert.ok(!oldest.socket.destroyed);
});

test('a connection without traffic is closed, after an hour unless its server says otherwise', () => {
  const connect = limited({ all: 2, ofOnePod: 1 });
  assert.equal(connect('10.244.0.3').socket.idle, 3_600_000);
  assert.equal(connect('10.244.0.3', 10_000).socket.idle, 10_000);
  connect('10.244.0.2').socket.expire();
  assert.ok(connect('10.244.0.2').admitted);
});

test('part of the descriptors is reserved, whatever their number', () => {
  assert.deepEqual(connectionCounts(20_000), { all: 7500, ofOnePod: 1024 });
  assert.deepEqual(connectionCounts(1024), { all: 256, ofOnePod: 64 });
  assert.equal(connectionCounts(2 ** 20).ofOnePod, 1024);
});
