// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { ConfigMap, CustomResourceDefinition, Pod } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { apiServer, type ApiServer } from '../api-server.ts';
import type { Handle, ServerRequest } from '../messages/server-request.ts';
import { durableStorage } from '../storage/durable-storage.ts';
import { Backup, configMap, pod } from '../test/objects.ts';
import { serve, type ListeningServer } from './serve.ts';

describe('an API server over HTTPS', () => {
  const validity = { now: Date.now(), validDays: 1 };
  let dir = '';
  let authority: KeyPair;
  let admin: KeyPair;
  let server: ApiServer;
  let listening: ListeningServer;
  let api: Client;

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'forge-serve-'));
    authority = certificateAuthority({ name: 'test', ...validity });
    admin = issueClientCertificate(authority, { user: 'admin', groups: ['system:masters'], ...validity });
    const { cert, key } = issueServerCertificate(authority, {
      names: ['localhost'],
      addresses: ['127.0.0.1'],
      ...validity,
    });
    server = await apiServer({
      clock: systemClock,
      random: systemRandom,
      storage: await durableStorage(join(dir, 'data')),
    });
    const tls = { cert, key, clientCa: authority.cert };
    listening = await serve(server, { port: 0, socketPath: join(dir, 'api.sock'), tls });
    api = client(connect());
  });
  after(async () => {
    await listening.close();
    await server.close();
    await rm(dir, { recursive: true });
  });

  function connect(options: { socketPath?: string } = {}): ReturnType<typeof httpsTransport> {
    return httpsTransport({
      server: `https://127.0.0.1:${listening.port}`,
      ca: authority.cert,
      cert: admin.cert,
      key: admin.key,
      ...options,
    });
  }

  interface Answer {
    status: number;
    type: string;
    body: string;
  }

  function send(path: string, options: RequestOptions = {}, body: string | Buffer = ''): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: listening.port, path, ca: authority.cert, agent: false, ...options },
        (response) => {
          void response.toArray().then((chunks) =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              body: Buffer.concat(chunks as Buffer[]).toString(),
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Writes a ConfigMap directly to the store, for tests that need many. */
  function put(object: ConfigMap): void {
    const { namespace, name } = object.metadata;
    server.store.commit(`configmaps/${namespace}/${name}`, undefined, {
      ...object,
      kind: 'ConfigMap',
      apiVersion: 'v1',
    });
  }

  /** Sends these requests at once on a connection, and the last one closes it; returns what arrives. */
  async function pipeline(paths: readonly string[]): Promise<string> {
    const socket = connectTls({ host: '127.0.0.1', port: listening.port, ca: authority.cert, ...admin });
    const requests = paths.map((path, index) => {
      const connection = index === paths.length - 1 ? 'close' : 'keep-alive';
      return `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\n\r\n`;
    });
    socket.write(requests.join(''));
    let text = '';
    try {
      for await (const chunk of socket) text += chunk;
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    }
    return text;
  }

  const asAdmin = (): RequestOptions => ({ cert: admin.cert, key: admin.key });

  test('accepts client certificates of its CA only', async () => {
    assert.equal((await send('/api')).status, 401);
    assert.deepEqual(await send('/readyz'), { status: 200, type: 'text/plain; charset=utf-8', body: 'ok' });
    assert.equal((await send('/api', asAdmin())).status, 200);
    const stranger = certificateAuthority({ name: 'stranger', ...validity });
    const forged = issueClientCertificate(stranger, { user: 'admin', groups: ['system:masters'], ...validity });
    assert.equal((await send('/api', { cert: forged.cert, key: forged.key })).status, 401);
  });

  test('reads and writes objects, and lists them without repeating their kind', async () => {
    const created = await api.create(ConfigMap, configMap('a', { x: 'ü' }));
    assert.deepEqual(await api.get(ConfigMap, { namespace: 'default', name: 'a' }), created);
    const { body } = await send('/api/v1/namespaces/default/configmaps', asAdmin());
    const list = JSON.parse(body) as { kind: string; items: { kind?: string; data: object }[] };
    assert.deepEqual([list.kind, list.items[0]?.kind, list.items[0]?.data], ['ConfigMapList', undefined, { x: 'ü' }]);
    await assert.rejects(api.create(ConfigMap, configMap('a')), /configmaps "a" already exists/);
  });

  test('streams a watch until the client disconnects', async () => {
    const { resourceVersion } = await api.list(ConfigMap);
    const abort = new AbortController();
    const events: string[] = [];
    const watching = (async () => {
      for await (const { type, object } of api.watch(ConfigMap, { resourceVersion, signal: abort.signal })) {
        events.push(`${type} ${object.metadata.name}`);
        if (events.length === 2) break;
      }
    })();
    await api.create(ConfigMap, configMap('w'));
    await api.delete(ConfigMap, { namespace: 'default', name: 'w' });
    await watching;
    assert.deepEqual(events, ['ADDED w', 'DELETED w']);
  });

  test('sends every watch all events of a burst, in order', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `burst-${String(index).padStart(3, '0')}`);
    const { resourceVersion } = await api.list(ConfigMap);
    const receive = async (): Promise<string[]> => {
      const events: string[] = [];
      for await (const { object } of api.watch(ConfigMap, { namespace: 'kube-node-lease', resourceVersion })) {
        events.push(object.metadata.name);
        if (events.length === names.length) break;
      }
      return events;
    };
    const received = Promise.all(Array.from({ length: 3 }, receive));
    for (const name of names) put(configMap(name, {}, 'kube-node-lease'));
    assert.deepEqual(await received, [names, names, names]);
  });

  test('sends a list of several chunks completely', async () => {
    const names = Array.from({ length: 1201 }, (_, index) => `many-${String(index).padStart(4, '0')}`);
    for (const name of names) put(configMap(name, {}, 'kube-public'));
    const { body } = await send('/api/v1/namespaces/kube-public/configmaps', asAdmin());
    const { items } = JSON.parse(body) as { items: ConfigMap[] };
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      names,
    );
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const partial = await send('/api/v1/namespaces/kube-public/configmaps', { ...asAdmin(), headers: { accept } });
    assert.equal((JSON.parse(partial.body) as { items: unknown[] }).items.length, names.length);
  });

  test('disconnects a stalled watch without blocking others', { timeout: 20_000 }, async () => {
    const { cert, key } = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
    const dropped = Promise.withResolvers<void>();
    const observed: { handle: Handle } = {
      handle: (asked) => {
        asked.signal?.addEventListener('abort', () => dropped.resolve());
        return server.handle(asked);
      },
    };
    const impatient = await serve(observed, {
      port: 0,
      tls: { cert, key, clientCa: authority.cert },
      stallTimeout: 50,
    });
    const path = '/api/v1/namespaces/kube-node-lease/configmaps?watch=true';
    const slow = request({ host: '127.0.0.1', port: impatient.port, path, ca: authority.cert, ...asAdmin() });
    slow.end();
    await once(slow, 'response');
    // More than two socket buffers hold.
    for (let index = 0; index < 40; index += 1) {
      put(configMap(`large-${index}`, { x: 'x'.repeat(800_000) }, 'kube-node-lease'));
    }
    assert.equal((await api.list(ConfigMap, { namespace: 'default' })).items.length, 1);
    await dropped.promise;
    slow.destroy();
    await impatient.close();
  });

  /** A POST of a ConfigMap with an incomplete body. */
  function beginBody(port: number, options: RequestOptions, length: number, beginning: string): ClientRequest {
    const path = '/api/v1/namespaces/default/configmaps';
    const half = request({
      host: '127.0.0.1',
      port,
      path,
      ca: authority.cert,
      method: 'POST',
      agent: false,
      ...options,
    });
    half.setHeader('content-length', length);
    half.write(beginning);
    return half;
  }

  async function impatientServer(patience: number): Promise<ListeningServer> {
    const { cert, key } = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
    return serve(server, { port: 0, tls: { cert, key, clientCa: authority.cert }, stallTimeout: patience });
  }

  test('disconnects a client that stalls within a body', { timeout: 20_000 }, async () => {
    const impatient = await impatientServer(20);
    const half = beginBody(impatient.port, asAdmin(), 1000, 'the beginning');
    await assert.rejects(once(half, 'response'), { code: 'ECONNRESET' });
    await impatient.close();
  });

  test('reads no body of an unauthorized request, and responds immediately', { timeout: 20_000 }, async () => {
    const impatient = await impatientServer(20);
    const half = beginBody(impatient.port, {}, 1000, 'the beginning');
    const [response] = (await once(half, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 401);
    response.resume();
    // A client that holds the connection without sending the rest is disconnected.
    await once(half, 'close');
    await impatient.close();
  });

  test('reads a body once, however often the request is retried', async () => {
    const { cert, key } = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
    const twice: { handle: Handle } = {
      async handle({ readBody }) {
        const bodies = [await readBody?.(), await readBody?.()];
        return { status: 200, text: bodies.map((body) => Buffer.from(body ?? []).toString()).join() };
      },
    };
    const serving = await serve(twice, { port: 0, tls: { cert, key, clientCa: authority.cert } });
    assert.equal((await send('/', { ...asAdmin(), port: serving.port, method: 'POST' }, 'x')).body, 'x,x');
    await serving.close();
  });

  test('serves further requests on a connection with a discarded body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refused = await send('/api/v1/namespaces/default/configmaps', { agent, method: 'POST' }, 'x'.repeat(200_000));
    assert.equal(refused.status, 401);
    assert.equal((await send('/readyz', { agent })).status, 200);
    agent.destroy();
  });

  test('sends 100 Continue only to authorized requests', async () => {
    const headers = { expect: '100-continue', 'content-type': 'application/json' };
    const path = '/api/v1/namespaces/default/configmaps';
    const post = (options: RequestOptions): ClientRequest =>
      request({ host: '127.0.0.1', port: listening.port, path, method: 'POST', agent: false, ...options });
    const allowed = post({ ca: authority.cert, headers, ...asAdmin() });
    allowed.flushHeaders();
    await once(allowed, 'continue');
    allowed.end(JSON.stringify(configMap('continued')));
    const [created] = (await once(allowed, 'response')) as [IncomingMessage];
    assert.equal(created.resume().statusCode, 201);
    const refused = post({ ca: authority.cert, headers });
    refused.flushHeaders();
    refused.on('continue', () => assert.fail('received 100 Continue'));
    const [response] = (await once(refused, 'response')) as [IncomingMessage];
    assert.equal(response.resume().statusCode, 401);
    refused.destroy();
  });

  test('limits the memory of incomplete bodies', { timeout: 20_000 }, async () => {
    const beginning = 'x'.repeat(2_000_000);
    const halves = Array.from({ length: 20 }, () => beginBody(listening.port, asAdmin(), 3_000_000, beginning));
    const [response] = (await Promise.race(halves.map((half) => once(half, 'response')))) as [IncomingMessage];
    assert.equal(response.statusCode, 429);
    assert.equal(response.headers['retry-after'], '1');
    // A fast body is accepted.
    await api.create(ConfigMap, configMap('has-room'));
    for (const half of halves) half.on('error', () => {}).destroy();
  });

  test('handles large requests on one connection whose client sends each right after the previous response', async () => {
    await api.create(ConfigMap, configMap('large'));
    const path = '/api/v1/namespaces/default/configmaps/large';
    const { cert, key } = admin;
    const options = { port: listening.port, path, ca: authority.cert, cert, key, size: 500_000, times: 100 };
    // In a separate process: the client must send the next request before this one has noticed that its response is
    // written.
    const sender = fork(new URL('test/repeated-requests.ts', import.meta.url), [JSON.stringify(options)]);
    const [statuses] = (await once(sender, 'message')) as [Record<string, number>];
    assert.deepEqual(statuses, { 200: 100 });
    await api.delete(ConfigMap, { namespace: 'default', name: 'large' });
  });

  describe('a client that does not wait for responses', () => {
    test('is answered in order, one request after the other', async (context) => {
      const order: string[] = [];
      const handle = server.handle.bind(server);
      context.mock.method(server, 'handle', async (asked: ServerRequest) => {
        order.push(`begin ${asked.path}`);
        const answer = await handle(asked);
        order.push(`end ${asked.path}`);
        return answer;
      });
      const text = await pipeline(['/version', '/api', '/healthz']);
      assert.match(text, /"gitVersion"[^]*"APIVersions"[^]*\bok\b/);
      const expected = ['/version', '/api', '/healthz'].flatMap((path) => [`begin ${path}`, `end ${path}`]);
      assert.deepEqual(order, expected);
    });

    test('is disconnected when there are more than a hundred', async () => {
      const hundred = await pipeline(Array.from({ length: 100 }, () => '/healthz'));
      assert.equal(hundred.match(/HTTP\/1\.1 200/g)?.length, 100);
      const more = await pipeline(Array.from({ length: 101 }, () => '/healthz'));
      assert.equal(more, '');
    });
  });

  test('accepts headers of up to a megabyte', async () => {
    const labelSelector = `app in (${Array.from({ length: 10_000 }, (_, index) => `value-${index}`).join(',')})`;
    const path = `/api/v1/configmaps?labelSelector=${encodeURIComponent(labelSelector)}`;
    assert.ok(path.length > 100_000);
    assert.equal((await send(path, asAdmin())).status, 200);
  });

  test('serves its unix socket to its owner only', async () => {
    const socketPath = join(dir, 'api.sock');
    assert.equal((await stat(socketPath)).mode & 0o777, 0o600);
    const overSocket = client(connect({ socketPath }));
    assert.ok((await overSocket.list(ConfigMap)).resourceVersion);
  });

  test('rejects malformed requests, and keeps serving', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const post = (body: string | Buffer, contentType = 'application/json'): Promise<Answer> =>
      send(path, { ...asAdmin(), method: 'POST', headers: { 'content-type': contentType } }, body);
    assert.equal((await post('{"kind": ')).status, 400);
    assert.equal((await post('')).status, 400);
    assert.equal((await post(Buffer.alloc(3 * 1024 * 1024 + 1, 'x'))).status, 413);
    assert.equal((await post('k8s\0', 'application/vnd.kubernetes.protobuf')).status, 400);
    assert.equal((await post('{}', 'text/plain')).status, 415);
    assert.equal((await send('/%ZZ/../..%2f', asAdmin())).status, 404);
    assert.equal((await send('/api/v1/pods', { ...asAdmin(), headers: { accept: 'text/html' } })).status, 406);
    const warned = await post(JSON.stringify({ ...configMap('warned'), 尺寸: 1 }));
    assert.equal(warned.status, 201);
    assert.equal((await send('/readyz')).status, 200);
  });

  test('accepts YAML where kubectl sends it', async () => {
    const path = '/api/v1/namespaces/default/configmaps/applied?fieldManager=me';
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: b\n';
    assert.equal((await send(path, { ...asAdmin(), method: 'PATCH', headers }, yaml)).status, 201);
    assert.deepEqual((await api.get(ConfigMap, { namespace: 'default', name: 'applied' })).data, { a: 'b' });
  });

  test('keeps everything acknowledged across a restart with the same folder', async () => {
    await api.create(Pod, pod('survivor'));
    await api.create(CustomResourceDefinition, crdOf(Backup));
    const metadata = { name: 'nightly', namespace: 'default' };
    await api.create(Backup, { apiVersion: 'example.com/v1', kind: 'Backup', metadata, spec: { schedule: 'daily' } });
    const { items, resourceVersion } = await api.list(Pod);
    await server.close();
    server = await apiServer({
      clock: systemClock,
      random: systemRandom,
      storage: await durableStorage(join(dir, 'data')),
    });
    await listening.close();
    const { cert, key } = issueServerCertificate(authority, {
      names: ['localhost'],
      addresses: ['127.0.0.1'],
      ...validity,
    });
    listening = await serve(server, { port: 0, tls: { cert, key, clientCa: authority.cert } });
    api = client(connect());
    assert.equal((await api.list(Backup)).items.length, 1);
    const again = await api.list(Pod);
    assert.deepEqual(again.items, items);
    assert.ok(Number(again.resourceVersion) >= Number(resourceVersion));
  });
});
