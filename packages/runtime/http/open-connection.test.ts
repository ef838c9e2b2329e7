// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { tcpDial } from './dial.ts';
import { httpClient } from './http-client.ts';
import { HttpError } from './http-error.ts';

const now = Date.now();
const serverName = 'openbao-cluster-a';

/** The status of a response, or why there was none. */
async function outcome(url: string, options: { ca?: string; serverName?: string }): Promise<number | string> {
  const request = { method: 'GET', url, deadline: seconds(10), signal: new AbortController().signal };
  try {
    return (await httpClient({ clock: virtualClock(), ...options }).send(request)).status;
  } catch (error) {
    assert.ok(error instanceof HttpError && error.failure.kind === 'tls-failed', String(error));
    return error.message;
  }
}

describe('a TLS connection', () => {
  const authority = certificateAuthority({ name: 'ours', now, validDays: 1 });
  const issue = (made: { now: number; validDays: number }) =>
    issueServerCertificate(authority, { ...made, names: [serverName], addresses: ['127.0.0.1'] });
  const valid = issue({ now, validDays: 1 });

  test('trusts the CA bundle and expects the server name, or else the host', async () => {
    await using server = await httpServer((_, response) => response.end(), valid);
    const other = certificateAuthority({ name: 'other', now, validDays: 1 });
    const bundle = `${other.cert}${authority.cert}`;
    assert.equal(await outcome(server.url, { ca: bundle, serverName }), 200);
    assert.equal(await outcome(server.url, { ca: bundle }), 200);
  });

  test('is refused when another CA signed the certificate', async () => {
    await using server = await httpServer((_, response) => response.end(), valid);
    const { cert } = certificateAuthority({ name: 'other', now, validDays: 1 });
    for (const options of [{ ca: cert, serverName }, { serverName }]) {
      assert.match(
        String(await outcome(server.url, options)),
        /TLS with server name openbao-cluster-a failed \(.*certificate/,
      );
    }
  });

  test('is refused when the certificate has another name', async () => {
    await using server = await httpServer((_, response) => response.end(), valid);
    const refused = await outcome(server.url, { ca: authority.cert, serverName: 'openbao-cluster-b' });
    assert.match(String(refused), /openbao-cluster-b failed \(Hostname\/IP does not match/);
    const byHost = await outcome(server.url.replace('127.0.0.1', 'localhost'), { ca: authority.cert });
    assert.match(String(byHost), /localhost failed \(Hostname\/IP does not match/);
  });

  test('is refused when the certificate has expired', async () => {
    const expired = issue({ now: now - 3 * 86_400_000, validDays: 1 });
    await using server = await httpServer((_, response) => response.end(), expired);
    assert.match(String(await outcome(server.url, { ca: authority.cert })), /certificate has expired/);
  });

  test('is refused when the server speaks no TLS', async () => {
    await using server = await httpServer((_, response) => response.end());
    assert.match(
      String(await outcome(server.url.replace('http:', 'https:'), {})),
      /TLS with server name 127.0.0.1 failed/,
    );
  });

  test('goes through a connection that somebody else opens', async () => {
    await using server = await httpServer((_, response) => response.end(), valid);
    const hosts: string[] = [];
    const client = httpClient({
      clock: virtualClock(),
      ca: authority.cert,
      dial(host, port, signal) {
        hosts.push(`${host}:${port}`);
        return tcpDial()('127.0.0.1', server.port, signal);
      },
    });
    const { signal } = new AbortController();
    const { status } = await client.send({
      method: 'GET',
      url: `https://${serverName}/`,
      deadline: seconds(10),
      signal,
    });
    assert.equal(status, 200);
    assert.deepEqual(hosts, [`${serverName}:443`]);
    while (server.connections.size > 0) await new Promise(setImmediate);
  });
});
