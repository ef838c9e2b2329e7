// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { upgradeConnection } from './upgrade-connection.ts';

const supported = { webSocket: ['v5', 'v4'], spdy: ['v4'] };

function agreed(headers: IncomingMessage['headers']): { kind: string; lines: string[] } {
  const connection = new PassThrough();
  const kind = upgradeConnection({ headers } as IncomingMessage, connection, supported);
  return { kind, lines: String(connection.read()).split('\r\n') };
}

describe('the protocol of an upgraded connection', () => {
  test('is the best one supported by both sides', () => {
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const offer = { upgrade: 'WebSocket', 'sec-websocket-protocol': 'v4,v5, v6', ...key };
    assert.deepEqual(agreed(offer), {
      kind: 'webSocket',
      lines: [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
        'sec-websocket-protocol: v5',
        '',
        '',
      ],
    });
    const { kind, lines } = agreed({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v5, v4' });
    assert.deepEqual([kind, lines[3]], ['spdy', 'x-stream-protocol-version: v4']);
  });

  test('is rejected when unsupported', () => {
    assert.throws(() => agreed({ upgrade: 'h2c' }), { status: 400 });
    assert.throws(() => agreed({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v3' }), { status: 403 });
    assert.throws(() => agreed({ upgrade: 'websocket', 'sec-websocket-protocol': 'v5' }), { status: 400 });
  });
});
