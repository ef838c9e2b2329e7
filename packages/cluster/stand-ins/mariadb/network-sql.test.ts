// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { secret } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { fakeSql } from './fake-sql.ts';
import { mariadbOperator } from './mariadb.ts';
import { networkSql } from './network-sql.ts';

const ref = { namespace: 'default', name: 'db' };
const [ok, failure] = [0x00, 0xff];
const scramble = Buffer.from('abcdefghijklmnopqrst');

const sha1 = (data: Buffer) => createHash('sha1').update(data).digest();

function packet(sequence: number, ...parts: (Buffer | string)[]): Buffer {
  const payload = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const header = Buffer.of(0, 0, 0, sequence);
  header.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([header, payload]);
}

/** Whether the response to a scramble proves the password; like a server, it checks with the double hash. */
function proves(password: string, answer: Buffer): boolean {
  if (password === '') return answer.length === 0;
  const stored = sha1(sha1(Buffer.from(password)));
  const mask = sha1(Buffer.concat([scramble, stored]));
  return sha1(Buffer.from(answer.map((byte, index) => byte ^ (mask[index] ?? 0)))).equals(stored);
}

/** A server of the protocol: checks the login, records statements, and fails those that match. */
async function serve(socket: Duplex, password: string, { statements, fails }: Served): Promise<void> {
  // Byte by byte, since packets may be chunked in any way.
  const send = (data: Buffer) => data.forEach((byte) => void socket.write(Buffer.of(byte)));
  const error = (sequence: number, code: number, text: string) =>
    send(packet(sequence, Buffer.of(failure, code & 0xff, code >> 8), text));
  send(packet(0, '\n10.11\0', '\0\0\0\0', scramble.subarray(0, 8), Buffer.alloc(19), scramble.subarray(8), '\0'));
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const sequence = chunk.readUInt8(3) + 1;
    const payload = chunk.subarray(4);
    if (sequence === 1) {
      const statement = payload.toString('utf8', 1);
      statements.push(statement);
      if (fails.test(statement)) error(sequence, 1007, '#HY000it exists');
      else send(packet(sequence, Buffer.of(ok)));
      continue;
    }
    const userEnd = payload.indexOf(0, 32);
    const answer = payload.subarray(userEnd + 2, userEnd + 2 + payload.readUInt8(userEnd + 1));
    const isRoot = payload.toString('utf8', 32, userEnd) === 'root' && proves(password, answer);
    if (isRoot) send(packet(sequence, Buffer.of(ok)));
    else error(sequence, 1045, '#28000Access denied');
  }
}

interface Served {
  statements: string[];
  fails: RegExp;
}

/** A cluster with a MariaDB, and connections to a server with this password. */
async function reached(spec: MariaDB['spec'], password: string, fails = /^never$/) {
  const cluster = await standInCluster((clock) => mariadbOperator(fakeSql().reachedBy(clock)));
  const { client, clock } = cluster;
  const object = { apiVersion: 'k8s.mariadb.com/v1alpha1', kind: 'MariaDB', metadata: ref } as const;
  await client.create(Secret, secret('root', { password: 'se cret' }));
  await client.create(MariaDB, { ...object, spec: { storage: { size: '1Gi' }, ...spec } });
  const [dialled, statements, sockets]: [string[], string[], Duplex[]] = [[], [], []];
  const servers = networkSql({
    client,
    clock,
    async dial(host, port) {
      dialled.push(`${host}:${port}`);
      const [near, far] = duplexPair();
      sockets.push(near);
      void serve(far, password, { statements, fails }).catch(() => undefined);
      return near;
    },
  });
  return { cluster, servers, dialled, statements, sockets };
}

const rootPasswordSecretKeyRef = { name: 'root', key: 'password' };

async function inCluster<T extends { cluster: StandInCluster }>(made: Promise<T>, use: (made: T) => Promise<void>) {
  const all = await made;
  await using _ = all.cluster;
  await use(all);
}

describe('the server of a MariaDB', () => {
  test('is reached at its port with the password of root, with a new connection for each call, which is closed', () =>
    inCluster(reached({ port: 3307, rootPasswordSecretKeyRef }, 'se cret'), async (made) => {
      const session = await made.servers.connect(ref);
      await session.dropDatabase('a');
      await session.ensureUser({ name: 'a', host: '%' }, { maxUserConnections: 1 });
      assert.deepEqual(made.dialled, Array(3).fill('db.default.svc.cluster.local:3307'));
      assert.deepEqual(
        made.statements.map((statement) => statement.split(' ', 2).join(' ')),
        ['SET SESSION', 'SET SESSION', 'DROP DATABASE', 'SET SESSION', 'CREATE USER', 'ALTER USER'],
      );
      assert.ok(made.sockets.every(({ destroyed }) => destroyed));
    }));

  test('may have an empty root password', () =>
    inCluster(reached({ rootEmptyPassword: true }, ''), async ({ servers, dialled }) => {
      await servers.connect(ref);
      assert.deepEqual(dialled, ['db.default.svc.cluster.local:3306']);
    }));

  test('that refuses the password or a statement has its error quoted, and the connection is closed', () =>
    inCluster(reached({ rootPasswordSecretKeyRef }, 'another'), async ({ servers, sockets }) => {
      await assert.rejects(servers.connect(ref), { message: 'Error 1045 (28000): Access denied' });
      assert.ok(sockets.every(({ destroyed }) => destroyed));
    }).then(() =>
      inCluster(reached({ rootPasswordSecretKeyRef }, 'se cret', /^DROP/), async ({ servers, sockets }) => {
        const session = await servers.connect(ref);
        await assert.rejects(session.dropDatabase('a'), { message: 'Error 1007 (HY000): it exists' });
        assert.ok(sockets.every(({ destroyed }) => destroyed));
      }),
    ));

  test('without the password of root in its Secret is not dialled', () =>
    inCluster(reached({ rootPasswordSecretKeyRef: { name: 'root', key: 'other' } }, ''), async (made) => {
      await assert.rejects(made.servers.connect(ref), /Secret root has no key other with the password of root/);
      assert.deepEqual(made.dialled, []);
    }));

  test('that does not answer causes a timeout after ten seconds', () =>
    inCluster(reached({ rootPasswordSecretKeyRef }, ''), async ({ cluster }) => {
      const { client, clock } = cluster;
      const silent = networkSql({ client, clock, dial: async () => duplexPair()[0] });
      const connecting = assert.rejects(silent.connect(ref), /db\.default\.svc\.cluster\.local:3306 did not answer/);
      await clock.advance(seconds(10));
      await connecting;
    }));
});
