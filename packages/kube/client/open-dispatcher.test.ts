// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Connection } from './connection.ts';
import { httpsTransport } from './https-transport.ts';
import { kubeconfig, readKubeconfig } from './kubeconfig.ts';

const validity = { now: Date.now(), validDays: 1 };
const authority = certificateAuthority({ ...validity, name: 'test' });
const ca = authority.cert;
const named = (names: string[], addresses: string[]) =>
  issueServerCertificate(authority, { ...validity, names, addresses });

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The response to a request by a kubeconfig with these lines in its cluster and its user. */
async function ask(connection: Connection, cluster: readonly string[] = [], user: readonly string[] = []) {
  const text = kubeconfig({ name: 'test', ...connection })
    .replace('    cluster:\n', `    cluster:\n${cluster.map((line) => `      ${line}\n`).join('')}`)
    .replace('    user:\n', `    user:\n${user.map((line) => `      ${line}\n`).join('')}`);
  const transport = httpsTransport(await readKubeconfig(['/config'], async () => text));
  try {
    const { body } = await transport.request({ method: 'GET', path: '/api' });
    return body as { url: string; servername: string | false; headers: Record<string, string> };
  } finally {
    await transport.close();
  }
}

const answer = ({ url, socket, headers }: IncomingMessage) =>
  JSON.stringify({ url, servername: (socket as TLSSocket).servername, headers });

describe('a kubeconfig decides how the API server is reached', () => {
  const api = createHttpsServer(named(['api.internal'], ['192.0.2.7']), (request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request)),
  );
  /** The requests that the proxies received, with their authorization. */
  const tunnels: (string | undefined)[][] = [];
  const tunnel = ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    tunnels.push([url, headers['proxy-authorization']]);
    if (url.startsWith('forbidden')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const [host, port] = url.split(':');
    const upstream = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const [from, to] of [[upstream, socket] as const, [socket, upstream] as const]) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
    return undefined;
  };
  const proxies = {
    http: createHttpServer().on('connect', tunnel),
    https: createHttpsServer(named([], ['127.0.0.1'])).on('connect', tunnel),
  };
  let server: string;
  const ports = { http: 0, https: 0 };

  before(async () => {
    server = `https://127.0.0.1:${await listening(api)}`;
    ports.http = await listening(proxies.http);
    ports.https = await listening(proxies.https);
  });

  after(() => {
    for (const each of [api, proxies.http, proxies.https]) {
      each.closeAllConnections();
      each.close();
    }
  });

  test('its certificate must name the host of the server', async () => {
    await assert.rejects(ask({ server, ca }), /did not answer .*127\.0\.0\.1.*certificates match/);
    await assert.rejects(ask({ server }), /did not answer/);
  });

  test('tls-server-name is the name that the certificate must have, and is sent to the server', async () => {
    assert.equal((await ask({ server, ca }, ['tls-server-name: api.internal'])).servername, 'api.internal');
    assert.equal((await ask({ server, ca }, ['tls-server-name: 192.0.2.7'])).servername, false);
    await assert.rejects(ask({ server, ca }, ['tls-server-name: other.internal']), /did not answer .*other\.internal/);
    await assert.rejects(ask({ server, ca }, ['tls-server-name: 192.0.2.8']), /did not answer .*192\.0\.2\.8/);
  });

  test('insecure-skip-tls-verify accepts any certificate, false does not', async () => {
    assert.equal((await ask({ server }, ['insecure-skip-tls-verify: true'])).url, '/api');
    await assert.rejects(ask({ server }, ['insecure-skip-tls-verify: false']), /did not answer/);
  });

  test('a server may have a path, and all requests are below it', async () => {
    const trusted = { ca, server: `${server}/k8s/clusters/c-1/` };
    assert.equal((await ask(trusted, ['tls-server-name: api.internal'])).url, '/k8s/clusters/c-1/api');
  });

  test('a user is impersonated, with uid and groups', async () => {
    const { headers } = await ask(
      { server },
      ['insecure-skip-tls-verify: true'],
      ['as: jane', 'as-uid: "7"', 'as-groups: [dev, ops]'],
    );
    const { 'impersonate-user': user, 'impersonate-uid': uid, 'impersonate-group': groups } = headers;
    assert.deepEqual([user, uid, groups], ['jane', '7', 'dev, ops']);
  });

  for (const scheme of ['http', 'https'] as const) {
    test(`the server is reached through an ${scheme} proxy, with the user and password of the proxy`, async () => {
      tunnels.length = 0;
      const proxy = `proxy-url: ${scheme}://me:s3cret@127.0.0.1:${ports[scheme]}`;
      const { url, servername, headers } = await ask({ server, ca }, [proxy, 'tls-server-name: api.internal']);
      assert.deepEqual([url, servername, headers['proxy-authorization']], ['/api', 'api.internal', undefined]);
      const basic = `Basic ${Buffer.from('me:s3cret').toString('base64')}`;
      assert.deepEqual(tunnels, [[new URL(server).host, basic]]);
      await assert.rejects(ask({ server, ca }, [proxy]), /127\.0\.0\.1/, 'the name is checked through a proxy as well');
    });
  }

  test('the error about a proxy that refuses names it, without its password', async () => {
    const proxy = `proxy-url: http://me:s3cret@127.0.0.1:${ports.http}`;
    await assert.rejects(ask({ server: 'https://forbidden:1' }, [proxy]), (error: Error) => {
      assert.match(error.message, /at https:\/\/forbidden:1 through the proxy http:\/\/127\.0\.0\.1:\d+ did not .*403/);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
  });
});
