// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { fakeKubelet, type FakeKubelet } from '../test/fake-kubelet.ts';
import { pod } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';

describe('pod logs', () => {
  const user = { name: 'admin', groups: ['system:masters'] };
  let kubelet: FakeKubelet;

  before(async () => {
    kubelet = await fakeKubelet(({ url = '' }, response) => {
      const status = Number(/\/fails-(\d+)\//.exec(url)?.[1] ?? 200);
      response.writeHead(status).end(status === 200 ? `log of ${url}\n` : 'no such log');
    });
  });
  after(() => kubelet[Symbol.asyncDispose]());

  async function logs(of: Pod, query: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const { api, server } = await testServer({ nodes: kubelet.nodes });
    await api.create(Node, kubelet.node);
    await api.create(Pod, of);
    const path = `/api/v1/namespaces/default/pods/${of.metadata.name}/log`;
    const response = await server.handle({ method: 'GET', path, query, headers: {}, user });
    if ('bytes' in response) {
      const chunks = await Array.fromAsync(response.bytes);
      return { status: response.status, text: Buffer.concat(chunks).toString() };
    }
    assert.ok('payload' in response);
    return { status: response.status, text: (response.payload.value as Status).message ?? '' };
  }

  test('are proxied from the node with supported options', async () => {
    assert.deepEqual(await logs(pod('a', 'node-1')), { status: 200, text: 'log of /containerLogs/default/a/main\n' });
    const query = {
      tailLines: '5',
      sinceTime: '2026-01-01T00:00:00.5Z',
      previous: '1',
      follow: 'false',
      pretty: 'true',
    };
    const { text } = await logs(pod('a', 'node-1'), query);
    const wanted = 'previous=true&sinceTime=2026-01-01T00%3A00%3A00Z&tailLines=5';
    assert.equal(text, `log of /containerLogs/default/a/main?${wanted}\n`);
  });

  test('that the kubelet rejects are reported as API errors', async () => {
    assert.deepEqual(await logs(pod('fails-400', 'node-1')), { status: 400, text: 'no such log' });
    const missing = 'the server could not find the requested resource ( pods/log fails-404)';
    assert.deepEqual(await logs(pod('fails-404', 'node-1')), { status: 404, text: missing });
    const text = 'Internal error occurred: no such log';
    assert.deepEqual(await logs(pod('fails-500', 'node-1')), { status: 500, text });
  });
});
