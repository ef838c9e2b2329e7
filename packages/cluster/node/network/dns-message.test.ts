// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decodeQuery,
  encodeAnswer,
  encodeName,
  MalformedQueryError,
  recordTypes,
  responseCodes,
} from './dns-message.ts';

function query(name: string, type: number, { flags = 0x0100, questions = 1 } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x1234, 0);
  header.writeUInt16BE(flags, 2);
  header.writeUInt16BE(questions, 4);
  return Buffer.concat([header, encodeName(name), Buffer.from([0, type, 0, 1])]);
}

const replyTo = (message: Buffer) => {
  try {
    decodeQuery(message);
  } catch (error) {
    assert.ok(error instanceof MalformedQueryError);
    return error.reply && error.reply.readUInt16BE(2) & 0xf;
  }
  return 'read';
};

describe('a DNS query', () => {
  test('is decoded with its name in lower case', () => {
    const { id, name, type, recursionDesired } = decodeQuery(query('DB.default.SVC.cluster.local', recordTypes.A));
    assert.deepEqual(
      { id, name, type, recursionDesired },
      { id: 0x1234, name: 'db.default.svc.cluster.local', type: 1, recursionDesired: true },
    );
  });

  test('that is truncated or not a query gets the appropriate reply, or none', () => {
    const whole = query('db', recordTypes.A);
    assert.equal(replyTo(whole), 'read');
    assert.equal(replyTo(whole.subarray(0, 11)), undefined);
    assert.equal(replyTo(query('db', recordTypes.A, { flags: 0x8000 })), undefined);
    assert.equal(replyTo(query('db', recordTypes.A, { flags: 0x2800 })), responseCodes.NOTIMP);
    assert.equal(replyTo(query('db', recordTypes.A, { questions: 2 })), responseCodes.FORMERR);
    for (let length = 12; length < whole.length; length++) {
      assert.equal(replyTo(whole.subarray(0, length)), responseCodes.FORMERR, `${length} bytes`);
    }
  });
});

describe('a DNS answer', () => {
  const asked = decodeQuery(query('db.default.svc.cluster.local', recordTypes.A));

  test('has every address', () => {
    const bytes = encodeAnswer(asked, { code: 0, addresses: ['10.96.0.7', '10.96.0.8'], zone: 'cluster.local' });
    assert.equal(bytes.readUInt16BE(0), 0x1234);
    assert.equal(bytes.readUInt16BE(2), 0x8580, 'authoritative, recursion desired and available, no error');
    assert.deepEqual([bytes.readUInt16BE(4), bytes.readUInt16BE(6), bytes.readUInt16BE(8)], [1, 2, 0]);
    assert.deepEqual([...bytes.subarray(-4)], [10, 96, 0, 8]);
  });

  test('without an address has an SOA record', () => {
    const bytes = encodeAnswer(asked, { code: responseCodes.NXDOMAIN, addresses: [], zone: 'cluster.local' });
    assert.equal(bytes.readUInt16BE(2) & 0xf, 3);
    assert.deepEqual([bytes.readUInt16BE(6), bytes.readUInt16BE(8)], [0, 1]);
    assert.ok(bytes.includes(encodeName('ns.dns.cluster.local')));
  });

  test('longer than a datagram is truncated and flagged', () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `10.244.1.${index}`);
    const bytes = encodeAnswer(asked, { code: 0, addresses, zone: 'cluster.local' }, 512);
    assert.equal(bytes.readUInt16BE(2) & 0x0200, 0x0200);
    assert.equal(bytes.readUInt16BE(6), 0);
    assert.ok(bytes.length <= 512);
  });
});
