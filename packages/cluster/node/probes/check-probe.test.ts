// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import type { Probe } from '@forge/kube/generated/types.ts';
import { checkProbe, type ProbeTarget } from './check-probe.ts';

const target: ProbeTarget = {
  address: '127.0.0.1',
  container: { name: 'web' },
  running: { exec: async () => ({ exitCode: 1, output: 'cat: no such file\n' }) },
};

/** The text of a failure, as the kubelet would send it. */
async function failure(probe: Probe, more: Partial<ProbeTarget> = {}): Promise<string> {
  const { ok, message, errored = false } = await checkProbe(probe, { ...target, ...more });
  assert.equal(ok, false);
  return errored ? `unknown: ${message}` : message;
}

async function portOf(server: Server, context: TestContext): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a failed probe is reported as by the kubelet', () => {
  test('a command with its output, or its timeout', async () => {
    const exec = { command: ['cat', '/tmp/it'] };
    assert.equal(await failure({ exec }), 'cat: no such file\n');
    const slow = { exec: async () => ({ exitCode: undefined, output: '' }) };
    assert.equal(await failure({ exec }, { running: slow }), 'command timed out: "cat /tmp/it" timed out after 1s');
    const broken = { exec: () => Promise.reject(new Error('no such container')) };
    assert.equal(await failure({ exec }, { running: broken }), 'unknown: no such container');
    const loud = { exec: async () => ({ exitCode: 1, output: 'x'.repeat(20_000) }) };
    assert.equal((await failure({ exec }, { running: loud })).length, 10 * 1024);
  });

  test('a request with its status code, or the error of its connection', async (context) => {
    const port = await portOf(
      createHttpServer((_, response) => response.writeHead(503).end('a secret')),
      context,
    );
    assert.equal(await failure({ httpGet: { port, path: '/a' } }), 'HTTP probe failed with statuscode: 503');
    const closed = await closedPort();
    const dial = `dial tcp 127.0.0.1:${closed}: connect: connection refused`;
    assert.equal(
      await failure({ httpGet: { port: closed, path: 'a?b' } }),
      `Get "http://127.0.0.1:${closed}/a?b": ${dial}`,
    );
    const silent = await portOf(createServer(), context);
    assert.equal(
      await failure({ httpGet: { port: silent }, timeoutSeconds: 0.05 }),
      `Get "http://127.0.0.1:${silent}/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
    const rude = await portOf(
      createServer((socket) => socket.destroy()),
      context,
    );
    const cut = await failure({ httpGet: { port: rude } });
    assert.match(cut, new RegExp(`^Get "http://127\\.0\\.0\\.1:${rude}/": (EOF|read ECONNRESET)$`));
  });

  test('a connection with its error, and a port that does not exist as an error of the probe', async () => {
    const closed = await closedPort();
    assert.equal(
      await failure({ tcpSocket: { port: closed } }),
      `dial tcp 127.0.0.1:${closed}: connect: connection refused`,
    );
    assert.equal(await failure({ tcpSocket: { port: 'http' } }), 'unknown: container web has no port named http');
  });
});
