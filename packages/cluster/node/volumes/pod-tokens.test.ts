// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import type { ServiceAccountTokenProjection } from '@forge/kube/generated/types.ts';
import type { Pod, TokenRequest } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { podTokens } from './pod-tokens.ts';

const forServer: ServiceAccountTokenProjection = { path: 'token', expirationSeconds: 3600 };
const forVault: ServiceAccountTokenProjection = { path: 'vault', audience: 'vault', expirationSeconds: 600 };

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: {
    serviceAccountName: 'seller',
    containers: [],
    volumes: [
      {
        name: 'tokens',
        projected: { sources: [{ serviceAccountToken: forServer }, { serviceAccountToken: forVault }] },
      },
      { name: 'again', projected: { sources: [{ serviceAccountToken: { ...forServer, path: 'elsewhere' } }] } },
    ],
  },
};

/** Tokens from a fake server that numbers them, on a virtual clock; it fails while `isDown`. */
function testTokens() {
  const clock = virtualClock();
  const server = { asked: [] as ApiRequest[], isDown: false };
  const transport: Transport = {
    async request(request) {
      if (server.isDown) throw new Error('the server is down');
      server.asked.push(request);
      const body = request.body as TokenRequest;
      const end = clock.now() + (body.spec?.expirationSeconds ?? 0) * 1000;
      const status = { token: `token-${server.asked.length}`, expirationTimestamp: new Date(end).toISOString() };
      return { status: 201, body: { ...body, status } };
    },
    stream: () => assert.fail('nothing is watched'),
  };
  let outdated = 0;
  const tokens = podTokens(pod, { client: client(transport), clock }, () => (outdated += 1));
  return { tokens, clock, server, outdated: () => outdated };
}

describe('the tokens of a pod', () => {
  test('are those of its ServiceAccount for the requested audience, bound to the pod', async () => {
    const { tokens, server } = testTokens();
    const tokenOf = await tokens.current();
    assert.deepEqual([forServer, forVault, { ...forServer, path: 'elsewhere' }].map(tokenOf), [
      'token-1',
      'token-2',
      'token-1',
    ]);
    assert.deepEqual(
      server.asked.map(({ method, path }) => `${method} ${path}`),
      Array(2).fill('POST /api/v1/namespaces/shop/serviceaccounts/seller/token'),
    );
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u1' };
    assert.deepEqual((server.asked.at(1)?.body as TokenRequest | undefined)?.spec, {
      audiences: ['vault'],
      expirationSeconds: 600,
      boundObjectRef,
    });
  });

  test('are renewed after 80% of their lifetime', async () => {
    const { tokens, clock, server, outdated } = testTokens();
    await tokens.current();
    await clock.advance(seconds(479));
    await tokens.current();
    assert.deepEqual([server.asked.length, outdated()], [2, 0]);
    await clock.advance(seconds(1));
    assert.equal(outdated(), 1);
    const tokenOf = await tokens.current();
    assert.deepEqual([forServer, forVault].map(tokenOf), ['token-1', 'token-3']);
    tokens.stop();
    await clock.advance(seconds(9999));
    assert.equal(outdated(), 1);
  });

  test('stay until they expire when renewal fails', async () => {
    const { tokens, clock, server, outdated } = testTokens();
    await tokens.current();
    server.isDown = true;
    await clock.advance(seconds(480));
    assert.equal((await tokens.current())(forVault), 'token-2');
    await clock.advance(seconds(30));
    assert.equal(outdated(), 2);
    await clock.advance(seconds(90));
    await assert.rejects(tokens.current(), { message: /^failed to fetch token: .*the server is down/ });
  });
});
