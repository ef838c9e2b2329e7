// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { authorize } from './authorize.ts';

function requestOf(method: string, subject: { CN: string; O?: string | string[] }): IncomingMessage {
  return { method, socket: { getPeerCertificate: () => ({ subject }) } } as unknown as IncomingMessage;
}

describe('a request to the kubelet', () => {
  test('is authorized by the API server', async () => {
    const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
    const kube = client(inProcessTransport(server));
    const review = (method: string, subject: { CN: string; O?: string | string[] }) =>
      authorize(kube, 'forge', requestOf(method, subject));
    assert.equal(await review('POST', { CN: 'api', O: ['system:masters', 'more'] }), undefined);
    assert.deepEqual(await review('GET', { CN: 'ann', O: 'people' }), {
      status: 403,
      message: 'Forbidden (user=ann, verb=get, resource=nodes, subresource(s)=[proxy])',
    });
    await server.close();
  });

  test('is rejected when the API server cannot be reached', async () => {
    const silent = { request: () => Promise.reject(new Error('unreachable')), stream: () => assert.fail('no watch') };
    const refusal = await authorize(client(silent), 'forge', requestOf('POST', { CN: 'api', O: 'system:masters' }));
    assert.equal(refusal?.status, 500);
    assert.match(refusal.message, /^Authorization error \(user=api, verb=create, .*unreachable/);
  });
});
