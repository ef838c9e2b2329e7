// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { EndpointSlice, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { networkConnector } from '../kubelet/node-connector.ts';
import { pod } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';
import { serve, type ListeningServer } from '../wire/serve.ts';

const validity = { now: Date.now(), validDays: 1 };
const podIP = '10.1.0.7';

function slice(service: string, ready: boolean[]): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: service, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [{ name: 'web', port: 8080, protocol: 'TCP' }],
    endpoints: ready.map((each) => ({
      addresses: [podIP],
      conditions: { ready: each },
      targetRef: { kind: 'Pod', namespace: 'default', name: 'p' },
    })),
  };
}

async function createService(api: Client, name: string, ready?: boolean[]): Promise<void> {
  const metadata = { name, namespace: 'default' };
  const spec = { ports: [{ name: 'web', port: 80 }] };
  await api.create(Service, { apiVersion: 'v1', kind: 'Service', metadata, spec });
  if (ready !== undefined) await api.create(EndpointSlice, slice(name, ready));
}

async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(message);
  if (message.url === '/cookies') response.setHeader('set-cookie', ['a=1', 'b=2']);
  response.setHeader('content-type', 'text/plain');
  response.end(`${message.method} ${message.url} of ${message.headers.host}: ${body.length}`);
}

describe('a request to a Service', () => {
  const backend = createServer((message, response) => void respond(message, response));
  let listening: ListeningServer;
  let credentials: { ca: string; cert: string; key: string };

  before(async () => {
    await once(backend.listen(0, '127.0.0.1'), 'listening');
    const { port } = backend.address() as AddressInfo;
    backend.on('upgrade', (_, socket: Duplex) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst ');
      socket.pipe(socket);
    });
    const authority = certificateAuthority({ name: 'test', ...validity });
    const admin = issueClientCertificate(authority, { user: 'admin', groups: ['system:masters'], ...validity });
    const serving = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
    credentials = { ca: authority.cert, ...admin };
    const { api, server } = await testServer({
      nodes: {
        ...networkConnector,
        async connect(address) {
          assert.deepEqual(address, { host: podIP, port: 8080 });
          return networkConnector.connect({ host: '127.0.0.1', port });
        },
      },
    });
    await api.create(Pod, pod('p'));
    const status = { podIP, podIPs: [{ ip: podIP }] };
    await api.patch(Pod, { namespace: 'default', name: 'p' }, 'merge', { status }, { subresource: 'status' });
    await createService(api, 'ready', [false, true]);
    await createService(api, 'unready', [false]);
    await createService(api, 'empty', []);
    await createService(api, 'without');
    listening = await serve(server, { port: 0, tls: { ...serving, clientCa: authority.cert } });
  });
  after(async () => {
    await listening.close();
    backend.closeAllConnections();
    backend.close();
  });

  /** The response, or the connection when it was upgraded. */
  async function send(
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
  ) {
    const { body, ...rest } = options;
    const sent = request({
      ...credentials,
      ...rest,
      host: '127.0.0.1',
      port: listening.port,
      path: `/api/v1/namespaces/default/services/${path}`,
      agent: false,
    }).end(body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | Duplex>();
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.on('upgrade', (_, socket, head) => {
      socket.unshift(head);
      resolve(socket);
    });
    return promise;
  }

  async function answer(path: string, options?: Parameters<typeof send>[1]) {
    const response = await send(path, options);
    assert.ok(response instanceof IncomingMessage);
    return { status: response.statusCode, text: await text(response), headers: response.headers };
  }

  test('reaches a ready pod of its EndpointSlices through the node', async () => {
    for (const name of ['ready:80', 'ready:web']) {
      const { status, text: body } = await answer(`${name}/proxy/v3?a=b`);
      assert.deepEqual([status, body], [200, `GET /v3?a=b of 127.0.0.1:${listening.port}: 0`]);
    }
    const posted = await answer('ready:80/proxy/v3', { method: 'POST', body: Buffer.alloc(100_000) });
    assert.match(posted.text, /^POST \/v3 of .*: 100000$/);
    assert.deepEqual((await answer('ready:80/proxy/cookies')).headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal((await answer('ready:80/proxy/v3', { method: 'HEAD' })).text, '');
    assert.match(
      (await answer('ready:80/proxy/v3', { method: 'POST', body: Buffer.alloc(4_000_000) })).text,
      /too large/,
    );
  });

  test('reports why there is no pod', async () => {
    for (const [name, status, message] of [
      ['unready:80', 503, 'no endpoints available for service "unready:80"'],
      ['empty:80', 503, 'no endpoints available for service "empty"'],
      ['without:80', 404, 'services "without" not found'],
    ] as const) {
      const found = await answer(`${name}/proxy/`);
      assert.deepEqual([found.status, (JSON.parse(found.text) as { message: string }).message], [status, message]);
    }
  });

  test('may be upgraded', async () => {
    const connection = await send('ready:80/proxy/socket', {
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    });
    assert.ok(!(connection instanceof IncomingMessage));
    connection.write('second');
    let received = '';
    for await (const chunk of connection as AsyncIterable<Buffer>)
      if ((received += chunk.toString()).endsWith('second')) break;
    assert.equal(received, 'first second');
  });
});
