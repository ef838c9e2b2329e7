// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpsWebhookCaller, type WebhookCall } from './call-webhook.ts';

const validity = { now: Date.now(), validDays: 1 };
const authority = certificateAuthority({ name: 'test', ...validity });

const refused = (why: string) => () => Promise.reject(new Error(why));

function call(more: Partial<WebhookCall> = {}): WebhookCall {
  return {
    method: 'POST',
    network: 'service',
    authority: 'hook.default.svc:443',
    address: { host: '10.0.0.7', port: 8443 },
    serverName: 'hook.default.svc',
    ca: authority.cert,
    path: '/',
    body: '{"a":1}',
    signal: new AbortController().signal,
    ...more,
  };
}

describe('webhooks are called over HTTPS', () => {
  let server: Server;
  let connections = 0;

  let sent = 0;
  function* endless() {
    const chunk = Buffer.alloc(65_536, ' ');
    for (; sent < 1e9; sent += chunk.length) yield chunk;
  }

  const serving = issueServerCertificate(authority, { names: ['hook.default.svc'], addresses: [], ...validity });

  before(async () => {
    server = createServer(serving, (request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/drip') return void response.write('{');
      if (request.url === '/endless') return void pipeline(endless(), response, () => {});
      if (request.url === '/announced') return void response.writeHead(200, { 'content-length': 1e9 }).write('{');
      // A connection that the server closes when idle.
      if (request.url === '/last') response.on('close', () => setImmediate(() => request.socket.destroy()));
      request.pipe(response);
    });
    server.on('secureConnection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const dial = () => connect((server.address() as AddressInfo).port, '127.0.0.1');

  test('through the given dial function, with one connection for many calls', async () => {
    const callWebhook = httpsWebhookCaller({ service: dial, url: dial });
    const already = connections;
    for (const body of ['{"a":1}', '{"b":2}']) {
      const answer = await callWebhook(call({ body }));
      assert.deepEqual([answer.status, answer.body], [200, body]);
    }
    assert.equal(connections, already + 1);
  });

  test('again, when a kept-alive connection was closed', async () => {
    const callWebhook = httpsWebhookCaller({ service: dial, url: dial });
    await callWebhook(call({ path: '/last' }));
    assert.equal((await callWebhook(call())).status, 200);
  });

  test('and need a certificate for their name', async () => {
    const callWebhook = httpsWebhookCaller({ service: dial, url: dial });
    await assert.rejects(
      callWebhook(call({ serverName: 'other.default.svc' })),
      /valid for hook\.default\.svc, not other/,
    );
    const other = certificateAuthority({ name: 'other', ...validity });
    await assert.rejects(callWebhook(call({ ca: other.cert })), /signed by unknown authority/);
    await assert.rejects(callWebhook(call({ ca: undefined })), /signed by unknown authority/);
  });

  test('and can be verified by their own certificate alone, for its names', async () => {
    const callWebhook = httpsWebhookCaller({ service: dial, url: dial });
    assert.equal((await callWebhook(call({ ca: serving.cert }))).status, 200);
    await assert.rejects(
      callWebhook(call({ ca: serving.cert, serverName: 'other.default.svc' })),
      /valid for hook\.default\.svc, not other/,
    );
    const other = issueServerCertificate(authority, { names: ['hook.default.svc'], addresses: [], ...validity });
    await assert.rejects(callWebhook(call({ ca: other.cert })), /signed by unknown authority/);
  });

  test('until the timeout', async () => {
    const end = new AbortController();
    const answer = httpsWebhookCaller({ service: dial, url: dial })(call({ path: '/silent', signal: end.signal }));
    const received = once(server, 'request');
    await received;
    end.abort();
    await assert.rejects(answer, /abort/);
  });

  test('until the timeout, even while the response arrives', async () => {
    const end = new AbortController();
    const answer = httpsWebhookCaller({ service: dial, url: dial })(call({ path: '/drip', signal: end.signal }));
    await once(server, 'request');
    end.abort();
    await assert.rejects(answer, /abort/);
  });

  test('with a limited response size', async () => {
    const callWebhook = httpsWebhookCaller({ service: dial, url: dial });
    const tooLarge = /response is too large: limit is 3145728 bytes/;
    await assert.rejects(callWebhook(call({ path: '/endless' })), tooLarge);
    assert.ok(sent < 50e6, `${sent} bytes were sent`);
    await assert.rejects(callWebhook(call({ path: '/announced' })), tooLarge);
  });

  test('in the cluster network, when they are behind a Service', async () => {
    const callWebhook = httpsWebhookCaller({ service: refused('by service'), url: refused('by URL') });
    await assert.rejects(callWebhook(call()), /by service/);
    await assert.rejects(callWebhook(call({ network: 'url' })), /by URL/);
  });

  test('not at all, when they are unreachable', async () => {
    const callWebhook = httpsWebhookCaller({ service: refused('the node is unreachable'), url: dial });
    await assert.rejects(callWebhook(call()), /the node is unreachable/);
  });
});
