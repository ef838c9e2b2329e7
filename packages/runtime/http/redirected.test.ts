// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { SecretValue } from '../secrets/secret-value.ts';
import { httpClient } from './http-client.ts';

describe('a redirect', () => {
  const client = httpClient({ clock: virtualClock() });
  const headers = { 'x-token': new SecretValue('s3cret'), accept: 'application/json' };
  const base = { headers, deadline: seconds(10), signal: new AbortController().signal };
  const post = { ...base, method: 'POST', body: 'x' };

  test('is an ordinary response unless it is to be followed', async () => {
    await using server = await httpServer((_, response) => response.writeHead(307, { location: '/b' }).end());
    const answer = await client.send({ ...post, url: server.url });
    assert.deepEqual([answer.status, answer.headers.location], [307, '/b']);
  });

  test('is followed with method, body and headers within an origin, up to the limit', async () => {
    const seen: unknown[] = [];
    await using server = await httpServer(({ method, url, headers: sent }, response) => {
      seen.push([method, url, sent['x-token'], sent['content-length']]);
      response.writeHead(307, { location: `${url}a` }).end();
    });
    assert.equal((await client.send({ ...post, url: server.url, redirects: 2 })).status, 307);
    assert.deepEqual(
      seen,
      ['/', '/a', '/aa'].map((url) => ['POST', url, 's3cret', '1']),
    );
  });

  test('sends no secret to another origin', async () => {
    await using other = await httpServer(({ headers: sent }, response) => {
      response.end(JSON.stringify({ token: sent['x-token'], accept: sent.accept }));
    });
    await using server = await httpServer((_, response) => response.writeHead(307, { location: other.url }).end());
    const { body } = await client.send({ ...base, method: 'GET', url: server.url, redirects: 1 });
    assert.deepEqual(JSON.parse(body.toString()), { accept: 'application/json' });
    assert.equal((await client.send({ ...post, url: server.url, redirects: 1 })).status, 307);
  });

  test('is not followed where it would change the request or its protection', async () => {
    await using server = await httpServer(({ url }, response) => {
      response.writeHead(url === '/away' ? 307 : 302, { location: url === '/away' ? 'ftp://x/' : '/' }).end();
    });
    assert.equal((await client.send({ ...post, url: server.url, redirects: 5 })).status, 302);
    assert.equal((await client.send({ ...post, url: `${server.url}/away`, redirects: 5 })).status, 307);
  });

  test('is not followed from TLS to plain text', async () => {
    const valid = { now: Date.now(), validDays: 1 };
    const authority = certificateAuthority({ name: 'test', ...valid });
    const certificate = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...valid });
    await using plain = await httpServer((_, response) => response.end());
    const redirect = { location: plain.url };
    await using server = await httpServer((_, response) => response.writeHead(307, redirect).end(), certificate);
    const trusting = httpClient({ clock: virtualClock(), ca: authority.cert });
    assert.equal((await trusting.send({ ...base, method: 'GET', url: server.url, redirects: 1 })).status, 307);
  });

  test('leaves no connection to where it came from', { timeout: 20_000 }, async () => {
    await using other = await httpServer((_, response) => response.end());
    await using server = await httpServer((_, response) =>
      response.writeHead(307, { location: other.url }).write('a body without an end'),
    );
    await client.send({ ...base, method: 'GET', url: server.url, redirects: 1 });
    while (server.connections.size > 0) await setImmediate();
  });
});
