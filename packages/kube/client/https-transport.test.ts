// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ApiError, type Status } from '../errors/api-error.ts';
import { httpsTransport, type HttpsTransport } from './https-transport.ts';

async function serving(t: TestContext, listener: RequestListener, token?: string): Promise<HttpsTransport> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = httpsTransport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token });
  t.after(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  return transport;
}

test('a request has method, path, query and token; the response has status, body, warnings and the wanted headers', async (t) => {
  const transport = await serving(
    t,
    ({ method, url, headers }, response) => {
      response.setHeader('warning', ['299 - "first \\"quoted\\""', '299 - "second"']);
      response.writeHead(201, { 'content-type': 'application/json', 'x-subject-token': 'abc' });
      response.end(JSON.stringify([method, url, headers['content-type'], headers.authorization]));
    },
    'secret',
  );
  const response = await transport.request({
    method: 'PATCH',
    path: '/api/v1/pods',
    query: { fieldManager: 'a b' },
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { a: 1 },
    wantedHeaders: ['x-subject-token', 'x-other'],
  });
  assert.deepEqual(response, {
    status: 201,
    headers: { 'x-subject-token': 'abc' },
    body: ['PATCH', '/api/v1/pods?fieldManager=a+b', 'application/apply-patch+yaml', 'Bearer secret'],
    warnings: ['first "quoted"', 'second'],
  });
});

test('a request can be aborted when the connection is open, before anything is sent', async (t) => {
  let received = 0;
  const transport = await serving(t, (_, response) => {
    received += 1;
    response.end();
  });
  const late = new AbortController();
  const request = { method: 'POST', path: '/', body: {}, signal: late.signal } as const;
  const tooLate = new Error('too late');
  await assert.rejects(transport.request({ ...request, beforeSending: () => late.abort(tooLate) }), tooLate);
  await transport.request({ method: 'GET', path: '/' });
  assert.equal(received, 1);
});

test('the body arrives as JSON', async (t) => {
  const transport = await serving(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    request.pipe(response);
  });
  const { body } = await transport.request({ method: 'POST', path: '/echo', body: { a: ['ü'] } });
  assert.deepEqual(body, { a: ['ü'] });
});

test('a list reports its continue token before its items have arrived, and none on its last page', async (t) => {
  const received = Promise.withResolvers<void>();
  const transport = await serving(t, ({ url }, response) => {
    const metadata = url === '/last' ? { resourceVersion: '1' } : { resourceVersion: '1', continue: 'token' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"metadata":${JSON.stringify(metadata)},"items":[`);
    void received.promise.then(() => response.end('{"data":{"continue":"no token"}}]}'));
  });
  const observed: string[] = [];
  const onContinue = (token: string) => {
    observed.push(token);
    received.resolve();
  };
  await transport.request({ method: 'GET', path: '/first', onContinue });
  await transport.request({ method: 'GET', path: '/last', onContinue });
  assert.deepEqual(observed, ['token']);
});

test('a failed list does not continue, although the error carries a token', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(410, { 'content-type': 'application/json' });
    response.end('{"kind":"Status","metadata":{"continue":"token"},"code":410}');
  });
  const observed: string[] = [];
  const { status } = await transport.request({ method: 'GET', path: '/', onContinue: (token) => observed.push(token) });
  assert.deepEqual([status, observed], [410, []]);
});

test('managedFields of a list are empty unless they contain one of the wanted managers', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"items":[{"metadata":{"managedFields":[{"manager":"kubectl"}]}}]}');
  });
  const { body } = await transport.request({ method: 'GET', path: '/list', fieldManagers: new Set(['ours']) });
  assert.deepEqual(body, { items: [{ metadata: { managedFields: [] } }] });
});

test('a plain-text error becomes a Status with its reason', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(429, { 'retry-after': '3' }).end('Too many requests\n');
  });
  const { status, body } = await transport.request({ method: 'GET', path: '/x' });
  assert.equal(status, 429);
  assert.deepEqual(body, {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 429,
    message: 'Too many requests',
    reason: 'TooManyRequests',
    details: { retryAfterSeconds: 3 },
  });
});

for (const text of ['{"error":"no such tenant"}', 'null', '']) {
  test(`an error response that is not a Status becomes one with its reason: ${text || 'empty'}`, async (t) => {
    const transport = await serving(t, (_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(text);
    });
    const { body } = await transport.request({ method: 'GET', path: '/x' });
    const { code, reason, message } = body as Status;
    assert.deepEqual([code, reason, message], [404, 'NotFound', text]);
  });
}

test('a watch yields its events and ends when the connection breaks', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"type":"ADDED"}\n{"type":"MOD');
    response.write('IFIED"}\n', () => response.destroy());
  });
  const events = await Array.fromAsync(await transport.stream({ method: 'GET', path: '/w' }));
  assert.deepEqual(events, [{ type: 'ADDED' }, { type: 'MODIFIED' }]);
});

test('a failed watch rejects with the server’s message', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(410, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' }),
    );
  });
  await assert.rejects(transport.stream({ method: 'GET', path: '/w' }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.reason, 'Expired');
    assert.equal(error.message, 'too old');
    return true;
  });
});

test('an abort ends a running watch with its reason', async (t) => {
  const transport = await serving(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"type":"ADDED"}\n');
  });
  const controller = new AbortController();
  const stream = await transport.stream({ method: 'GET', path: '/w', signal: controller.signal });
  await assert.rejects(async () => {
    for await (const _ of stream) controller.abort(new Error('enough'));
  }, /enough/);
});

test('a reader that stops aborts the request of its watch', async (t) => {
  const ended = Promise.withResolvers<void>();
  const transport = await serving(t, (_, response) => {
    response.on('close', () => ended.resolve());
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"type":"ADDED"}\n');
  });
  for await (const _ of await transport.stream({ method: 'GET', path: '/w' })) break;
  await ended.promise;
});

test('a slow reader gets everything, and pauses the server', async (t) => {
  const event = `${JSON.stringify({ text: 'x'.repeat(100_000) })}\n`;
  let sent = 0;
  function* events(): Generator<string> {
    for (; sent < 200; sent += 1) yield event;
  }
  const transport = await serving(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    Readable.from(events()).pipe(response);
  });
  let read = 0;
  let behind = 0;
  for await (const _ of await transport.stream({ method: 'GET', path: '/w' })) {
    if ((read += 1) === 1) for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    behind = Math.max(behind, sent - read);
  }
  assert.equal(read, 200);
  assert.ok(behind < 190, `${behind} events waited in memory`);
});

test('an aborted request rejects with the reason, whether it was sent or not', async (t) => {
  const controller = new AbortController();
  const transport = await serving(t, () => controller.abort(new Error('enough')));
  const { signal } = controller;
  await assert.rejects(transport.request({ method: 'GET', path: '/x', signal }), /enough/);
  await assert.rejects(transport.request({ method: 'GET', path: '/x', signal }), /enough/);
});

test('an unreachable server is named, with its cause', async () => {
  const transport = httpsTransport({ server: 'https://127.0.0.1:1', socketPath: '/nonexistent/socket' });
  await assert.rejects(transport.request({ method: 'GET', path: '/api' }), (error) => {
    assert.ok(error instanceof Error && error.cause instanceof Error);
    assert.match(
      error.message,
      /^GET \/api: the API server at https:\/\/127.0.0.1:1 on \/nonexistent\/socket did not answer/,
    );
    return true;
  });
  await transport.close();
});
