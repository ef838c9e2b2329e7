// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { httpClient, type HttpClient } from './http-client.ts';
import { HttpError } from './http-error.ts';
import type { ServerTrust } from './server-trust.ts';

const validity = { now: Date.now(), validDays: 1 };
const authorities = ['ours', 'theirs', 'well-known'].map((name) => certificateAuthority({ name, ...validity }));
const [ours, theirs, public_] = authorities as [Authority, Authority, Authority];
type Authority = ReturnType<typeof certificateAuthority>;

/** Serves the name that a client asked for, with a certificate of the authority. */
const serving = (authority: Authority, names: readonly string[] = ['localhost']) => {
  const certificate = issueServerCertificate(authority, { ...validity, names, addresses: ['127.0.0.1'] });
  return httpServer(({ socket }, response) => {
    response.end(String((socket as TLSSocket).servername));
  }, certificate);
};

/** What the server answers, or why the client does not trust it. */
async function answer(client: HttpClient, url: string, trust?: ServerTrust): Promise<string> {
  const request = { method: 'GET', url, deadline: seconds(10), signal: new AbortController().signal };
  try {
    const { body } = await client.send({ ...request, ...(trust !== undefined && { trust }) });
    return body.toString();
  } catch (error) {
    assert.ok(error instanceof HttpError && error.failure.kind === 'tls-failed', String(error));
    return 'refused';
  }
}

describe('the servers that a client trusts', () => {
  test('are those of an own authority besides the well-known ones, when it says so', async () => {
    await using own = await serving(ours);
    await using known = await serving(public_);
    await using foreign = await serving(theirs);
    const defaults = getCACertificates('default');
    setDefaultCACertificates([public_.cert]);
    try {
      const reached = async (trust: ServerTrust) => {
        const client = httpClient({ clock: virtualClock(), ...trust });
        const answers = await Promise.all([own, known, foreign].map(({ url }) => answer(client, url)));
        return answers.map((each) => each !== 'refused');
      };
      assert.deepEqual(await reached({ ca: ours.cert, wellKnown: true }), [true, true, false]);
      assert.deepEqual(await reached({ ca: ours.cert }), [true, false, false]);
      assert.deepEqual(await reached({}), [false, true, false]);
      assert.deepEqual(await reached({ ca: '' }), [false, false, false]);
      assert.deepEqual(await reached({ ca: 'no certificate' }), [false, false, false]);
      assert.deepEqual(await reached({ wellKnown: false }), [false, false, false]);
      // One client tells them apart by request, also when the own authority is the same.
      const client = httpClient({ clock: virtualClock() });
      const asked: ServerTrust[] = [{ ca: ours.cert, wellKnown: true }, { ca: ours.cert }, {}, { ca: '' }];
      const answers: boolean[] = [];
      for (const trust of asked) answers.push((await answer(client, known.url, trust)) !== 'refused');
      assert.deepEqual(answers, [true, false, true, false]);
    } finally {
      setDefaultCACertificates(defaults);
    }
  });

  test('are those of the authority that a request names, whatever the client says and others ask at the same time', async () => {
    await using one = await serving(ours);
    await using other = await serving(theirs);
    const client = httpClient({ clock: virtualClock(), ca: ours.cert, serverName: 'localhost' });
    const trusts = [{ ca: ours.cert }, { ca: theirs.cert }, {}, undefined];
    const answers = [one, other].map((server) => Promise.all(trusts.map((trust) => answer(client, server.url, trust))));
    assert.deepEqual(await Promise.all(answers), [
      ['false', 'refused', 'refused', 'localhost'],
      ['refused', 'false', 'refused', 'refused'],
    ]);
  });

  test('change at once with the authority: no connection is used again', async () => {
    await using server = await serving(ours);
    const client = httpClient({ clock: virtualClock() });
    const both = `${theirs.cert}${ours.cert}`;
    const answers: string[] = [];
    for (const ca of [ours.cert, theirs.cert, both, theirs.cert, ours.cert]) {
      answers.push(await answer(client, server.url, { ca, serverName: 'localhost' }));
    }
    assert.deepEqual(answers, ['localhost', 'refused', 'localhost', 'refused', 'localhost']);
  });

  test('have the name that a request asks for at another address', async () => {
    await using server = await serving(ours, ['a.example.com', 'b.example.com']);
    const client = httpClient({ clock: virtualClock(), ca: ours.cert });
    const answers: string[] = [];
    for (const serverName of ['a.example.com', 'c.example.com', 'b.example.com']) {
      answers.push(await answer(client, server.url, { ca: ours.cert, serverName }));
    }
    assert.deepEqual(answers, ['a.example.com', 'refused', 'b.example.com']);
    assert.equal(await answer(client, server.url), 'false');
  });

  test('are found out anew when a redirect leads elsewhere', async () => {
    await using other = await serving(theirs);
    const certificate = issueServerCertificate(ours, { ...validity, names: ['localhost'], addresses: ['127.0.0.1'] });
    await using server = await httpServer((_, response) => {
      response.writeHead(307, { location: other.url }).end();
    }, certificate);
    const client = httpClient({ clock: virtualClock() });
    const request = { method: 'GET', url: server.url, deadline: seconds(10), redirects: 1 };
    const { signal } = new AbortController();
    await assert.rejects(client.send({ ...request, signal, trust: { ca: ours.cert } }), /TLS with server name/);
    const { status } = await client.send({ ...request, signal, trust: { ca: `${ours.cert}${theirs.cert}` } });
    assert.equal(status, 200);
  });
});
