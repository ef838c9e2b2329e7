// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { reportText, startLoad } from './load.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const answer: Handler = ({ method }, response) => {
  if (method === 'POST') response.writeHead(201, { 'x-subject-token': 'token' }).end('{}');
  else response.writeHead(200).end('{}');
};

/** Cuts the connection in the middle of a good response. */
const cutShort: Handler = ({ method, socket }, response) => {
  response.writeHead(method === 'POST' ? 201 : 200, { 'x-subject-token': 'token', 'content-length': 100 });
  response.write('{', () => socket.destroy());
};

/** Responds late to the second request, and never to the third. */
const late: Handler = (request, response, count) => {
  if (count === 2) setTimeout(() => answer(request, response, count), 600);
  else if (count !== 3) answer(request, response, count);
};

/** Runs a load against a server until it has received this many requests. */
async function loaded(handler: Handler, requests: number, maxDuration = 120_000) {
  const connections = new Set<number | undefined>();
  const reached = Promise.withResolvers<void>();
  let count = 0;
  const server = createServer((request, response) => {
    connections.add(request.socket.remotePort);
    count += 1;
    handler(request, response, count);
    if (count === requests) reached.resolve();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
  const load = startLoad({ url, password: 'secret', perSecond: 100, maxDuration });
  await reached.promise;
  const report = await load.stop();
  server.closeAllConnections();
  server.close();
  return { report, connections, received: count };
}

describe('a load', () => {
  test('logs in and validates on new and on keep-alive connections', async () => {
    const methods: (string | undefined)[] = [];
    const { report, connections, received } = await loaded((request, response, count) => {
      methods.push(request.method);
      answer(request, response, count);
    }, 40);
    assert.deepEqual(report.failures, []);
    assert.equal(methods.filter((method) => method === 'GET').length, received / 2);
    assert.equal(report.requests, received);
    assert.ok(connections.size > received / 4 && connections.size < received, `${connections.size} of ${received}`);
    assert.match(reportText(report), /^\d+ requests, 0 failed; slowest: (POST|GET) (fresh|kept): 20[01] after \d+ ms/);
  });

  test('reports server errors, unexpected responses, logins without a token and cut connections, each with its time', async () => {
    const { report } = await loaded((request, response, count) => {
      if (count === 1) response.writeHead(201).end('{}');
      else if (count === 3) response.writeHead(503).end();
      else if (count === 4) response.writeHead(401).end();
      else if (count === 5) request.socket.destroy();
      else if (count === 6) cutShort(request, response, count);
      else answer(request, response, count);
    }, 20);
    const found = report.failures.map(({ what }) => what.replace(/.*: /, '')).toSorted();
    assert.deepEqual(found, ['201 without a token', '401', '503', 'ECONNRESET', 'ECONNRESET']);
    assert.match(reportText(report), /5 failed; .*\n {2}.* after \d+ ms, sent at \d+ ms/);
  });

  test('reports late and missing responses', async () => {
    const { report } = await loaded(late, 20, 500);
    const outcomes = report.failures.map(({ what }) => what.replace(/.*: /, ''));
    assert.ok(outcomes.includes('ABORT_ERR'), reportText(report));
    assert.ok(
      outcomes.some((outcome) => outcome.startsWith('20')),
      reportText(report),
    );
    assert.ok(report.slowest.milliseconds >= 1000);
  });

  test('keeps its rate when a timer is late, and sends at most the requests of one second after a pause', async (context) => {
    let now = 0;
    context.mock.timers.enable({ apis: ['setInterval'] });
    context.mock.method(performance, 'now', () => now);
    const server = createServer((request, response) => answer(request, response, 0));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
    const load = startLoad({ url, password: 'secret', perSecond: 20, maxDuration: 120_000 });
    for (const time of [1000, 61_000]) {
      now = time;
      context.mock.timers.tick(100);
    }
    const { requests, failures } = await load.stop();
    server.close();
    assert.deepEqual([requests, failures], [40, []]);
  });
});
