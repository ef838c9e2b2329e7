// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { fakeKubelet, nodeAt, type FakeKubelet } from '../test/fake-kubelet.ts';
import { pod } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';
import { serve, type ListeningServer } from '../wire/serve.ts';

const validity = { now: Date.now(), validDays: 1 };
const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' };

describe('a connection to a pod', () => {
  let kubelet: FakeKubelet;
  let listening: ListeningServer;
  let credentials: { ca: string; cert: string; key: string };
  let received: IncomingMessage | undefined;
  const backends: Duplex[] = [];

  before(async () => {
    kubelet = await fakeKubelet((_, response) => response.writeHead(403).end('upgrade required'));
    kubelet.server.on('upgrade', (message, socket) => {
      received = message;
      backends.push(socket);
      socket.on('error', () => {});
      if (message.url?.startsWith('/attach') === true)
        return void socket.end('HTTP/1.1 404 Not Found\r\n\r\nno container');
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst `);
      socket.pipe(socket);
    });
    const authority = certificateAuthority({ name: 'test', ...validity });
    const admin = issueClientCertificate(authority, { user: 'admin', groups: ['system:masters'], ...validity });
    const serving = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
    credentials = { ca: authority.cert, ...admin };
    const { api, server } = await testServer({ nodes: kubelet.nodes });
    await api.create(Node, kubelet.node);
    await api.create(Node, nodeAt('away', 1));
    await api.create(Pod, pod('a', 'node-1'));
    await api.create(Pod, pod('b', 'away'));
    listening = await serve(server, { port: 0, tls: { ...serving, clientCa: authority.cert } });
  });
  after(async () => {
    await listening.close();
    await kubelet[Symbol.asyncDispose]();
  });

  /** Requests a connection; returns the response when it is not upgraded. */
  async function connect(path: string, headers: Record<string, string> = upgrade, method = 'GET') {
    const sent = request({
      ...credentials,
      host: '127.0.0.1',
      port: listening.port,
      path: `/api/v1/namespaces/default/pods/${path}`,
      method,
      headers,
      agent: false,
    }).end();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | Duplex>();
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.on('upgrade', (_, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    const answer = await promise;
    return answer instanceof IncomingMessage ? { status: answer.statusCode, text: await text(answer) } : answer;
  }

  async function connected(path: string, method = 'GET'): Promise<Duplex> {
    const connection = await connect(path, upgrade, method);
    assert.ok('pipe' in connection);
    return connection;
  }

  test('is proxied to the node’s kubelet with command and protocol, but without credentials', async () => {
    const query = 'command=echo&command=a%20b&stdin=true&stdout=1&tty=false&container=main';
    const connection = await connected(`a/exec?${query}`);
    connection.write('second');
    let said = '';
    for await (const chunk of connection as AsyncIterable<Buffer>)
      if ((said += chunk.toString()).endsWith('second')) break;
    assert.equal(said, 'first second');
    assert.equal(received?.url, '/exec/default/a/main?command=echo&command=a+b&input=1&output=1');
    assert.equal(received.headers['sec-websocket-protocol'], 'v5.channel.k8s.io');
    (await connected('a/portforward', 'POST')).destroy();
    assert.deepEqual([received.method, received.url], ['POST', '/portForward/default/a']);
    const named = await connect('a/exec', {
      ...upgrade,
      'impersonate-user': 'ann',
      'impersonate-group': 'system:masters',
    });
    assert.ok('pipe' in named);
    named.destroy();
    assert.deepEqual(Object.keys(received.headers).toSorted(), [
      'connection',
      'host',
      'sec-websocket-protocol',
      'upgrade',
    ]);
  });

  test('cannot be used for further requests, however its path is encoded', async () => {
    const connection = await connected('a/e%78ec?command=cat');
    const sent = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    connection.write(sent);
    let said = '';
    for await (const chunk of connection as AsyncIterable<Buffer>)
      if ((said += chunk.toString()).endsWith('\r\n\r\n')) break;
    assert.equal(said, `first ${sent}`);
  });

  test('is closed at the kubelet when the client disconnects, and vice versa', async () => {
    const connection = await connected('a/exec?command=sleep');
    const backend = backends.at(-1);
    assert.ok(backend);
    connection.destroy();
    await once(backend, 'close');

    const other = await connected('a/exec?command=sleep');
    other.on('error', () => {});
    backends.at(-1)?.destroy();
    other.resume();
    await once(other, 'close');
  });

  test('fails with the error of the kubelet, or when the kubelet cannot be reached', async () => {
    assert.deepEqual(await connect('a/attach'), { status: 404, text: 'no container' });
    const away = await connect('b/exec?command=ls');
    assert.ok('status' in away);
    assert.equal(away.status, 500);
    assert.match(away.text, /error dialing backend: dial tcp 127\.0\.0\.1:1: connect: connection refused/);
  });

  test('is the only kind of request that is upgraded', async () => {
    const plain = await connect('a');
    assert.ok('status' in plain);
    assert.deepEqual([plain.status, plain.text.includes('"kind":"Pod"')], [200, true]);
  });

  test('ends with the server', async () => {
    const connection = await connected('a/exec?command=sleep');
    connection.resume();
    connection.on('error', () => {});
    const closed = once(connection, 'close');
    await listening.close();
    await closed;
  });
});
