// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followRedirects, type Hop } from './follow-redirects.ts';

const first: Hop = { method: 'POST', authority: 'hook.default.svc:443', path: '/validate', body: '{}' };

/** The requests sent for a first response that redirects to a location. */
async function requestsFor(location: string): Promise<string[]> {
  const sent: string[] = [];
  await followRedirects(first, async ({ method, authority, path }) => {
    sent.push(`${method} ${authority}${path}`);
    const [status, more] = sent.length === 1 ? [307, { location }] : [200, {}];
    return { status, contentType: '', body: '', ...more };
  });
  return sent;
}

describe('a redirect of a webhook', () => {
  test('is followed to the host and port of the webhook', async () => {
    for (const location of [
      '/other?a=1',
      'https://hook.default.svc/other?a=1',
      'https://HOOK.default.svc:443/other?a=1',
    ]) {
      assert.deepEqual((await requestsFor(location)).slice(1), ['POST hook.default.svc:443/other?a=1'], location);
    }
  });

  test('fails for any other host or port', async () => {
    for (const location of [
      'http://127.0.0.1:8080/admin',
      'https://127.0.0.1:443/',
      'https://localhost/',
      '//localhost/',
      'https://hook.default.svc:8443/',
      'http://hook.default.svc:443/',
      'http://hook.default.svc/',
      'https://hook.default.svc@127.0.0.1/',
      'https://hook.default.svc.example.com/',
      String.raw`\\localhost/`,
      'file:///etc/passwd',
    ]) {
      await assert.rejects(requestsFor(location), /leads away from the webhook/, location);
    }
  });
});
