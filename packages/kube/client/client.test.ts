// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../errors/api-error.ts';
import { ConfigMap, Deployment, Namespace } from '../kinds/builtin.ts';
import { client } from './client.ts';
import { impersonate } from './impersonate.ts';
import { pages } from './pages.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** A server that sends these responses one after the other, and records the requests. */
function scripted(...answers: { status: number; body: unknown }[]): Transport & { requests: ApiRequest[] } {
  const requests: ApiRequest[] = [];
  return {
    requests,
    async request(request) {
      requests.push(request);
      return answers.shift() ?? { status: 200, body: {} };
    },
    async stream(request) {
      requests.push(request);
      const { status, body } = answers.shift() ?? { status: 200, body: [] };
      if (status >= 400) throw new ApiError(body as never);
      return (async function* () {
        yield* body as unknown[];
      })();
    },
  };
}

function refusal(code: number, reason: string, message: string) {
  return { status: code, body: { kind: 'Status', status: 'Failure', code, reason, message } };
}

function page(name: string, next = '') {
  const body = { metadata: { resourceVersion: '7', continue: next }, items: [{ metadata: { name } }] };
  return { status: 200, body };
}

const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } } as ConfigMap;

describe('a client', () => {
  test('names the request and the object in errors', async () => {
    const ref = { namespace: 'n', name: 'a' };
    const gone = refusal(404, 'NotFound', 'no such thing');
    const cases: [string, (api: ReturnType<typeof client>) => Promise<unknown>][] = [
      ['get deployments.apps n/a', (api) => api.get(Deployment, ref)],
      ['get deployments.apps/scale n/a', (api) => api.get(Deployment, ref, { subresource: 'scale' })],
      ['list configmaps n', (api) => api.list(ConfigMap, { namespace: 'n' })],
      ['list namespaces', (api) => api.list(Namespace)],
      ['create configmaps n', (api) => api.create(ConfigMap, map)],
      ['update configmaps/status n/a', (api) => api.update(ConfigMap, map, { subresource: 'status' })],
      ['patch configmaps n/a', (api) => api.patch(ConfigMap, ref, 'merge', {})],
      ['apply configmaps n/a', (api) => api.apply(ConfigMap, map, { fieldManager: 'm' })],
      ['delete configmaps n/a', (api) => api.delete(ConfigMap, ref)],
      ['watch configmaps', (api) => Array.fromAsync(api.watch(ConfigMap))],
    ];
    for (const [request, ask] of cases) {
      await assert.rejects(ask(client(scripted(gone))), { name: 'ApiError', message: `${request}: no such thing` });
    }
    assert.equal(await client(scripted(gone)).find(ConfigMap, ref), undefined);
  });

  test('writes under its field manager, unless a write names another', async () => {
    const server = scripted();
    const api = client(server, { fieldManager: 'own' });
    const ref = { namespace: 'n', name: 'a' };
    await api.create(ConfigMap, map);
    await api.update(ConfigMap, map, { fieldManager: 'other' });
    await api.patch(ConfigMap, ref, 'merge', {}, { dryRun: true });
    await api.apply(ConfigMap, map, { fieldManager: 'applied' });
    await client(server).create(ConfigMap, map);
    assert.deepEqual(
      server.requests.map(({ query }) => query),
      [
        { fieldManager: 'own' },
        { fieldManager: 'other' },
        { fieldManager: 'own', dryRun: 'All' },
        { fieldManager: 'applied' },
        {},
      ],
    );
  });

  test('creates subresources under the object’s name', async () => {
    const server = scripted();
    await client(server).create(ConfigMap, map, { subresource: 'binding', dryRun: true, fieldManager: 'm' });
    assert.deepEqual(server.requests, [
      {
        method: 'POST',
        path: '/api/v1/namespaces/n/configmaps/a/binding',
        query: { fieldManager: 'm', dryRun: 'All' },
        body: map,
      },
    ]);
  });

  test('opens a watch that starts with the existing objects', async () => {
    const server = scripted({ status: 200, body: [{ type: 'ADDED', object: map }] });
    const events = await Array.fromAsync(
      client(server).watch(ConfigMap, { sendInitialEvents: true, timeoutSeconds: 30, labelSelector: 'a=b' }),
    );
    assert.deepEqual(events, [{ type: 'ADDED', object: map }]);
    assert.deepEqual(server.requests[0]?.query, {
      labelSelector: 'a=b',
      watch: 'true',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '30',
    });
  });

  test('deletes with preconditions', async () => {
    const server = scripted();
    const preconditions = { uid: 'u' };
    const options = { propagation: 'Foreground', gracePeriodSeconds: 0, preconditions, dryRun: true } as const;
    await client(server).delete(ConfigMap, { namespace: 'n', name: 'a' }, options);
    assert.deepEqual(server.requests[0]?.body, {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      preconditions,
      dryRun: ['All'],
    });
  });

  test('reads a list page by page', async () => {
    const server = scripted(page('a', 'token'), page('b'));
    const read = await Array.fromAsync(pages(client(server), ConfigMap, { limit: 1, resourceVersion: '5' }));
    assert.deepEqual(
      read.flatMap(({ items }) => items.map(({ kind, metadata }) => [kind, metadata.name])),
      [
        ['ConfigMap', 'a'],
        ['ConfigMap', 'b'],
      ],
    );
    assert.deepEqual(
      server.requests.map(({ query }) => query),
      [
        { limit: '1', resourceVersion: '5' },
        { limit: '1', continue: 'token' },
      ],
    );
  });

  test('impersonates a user', async () => {
    const server = scripted();
    const api = client(impersonate(server, { user: 'jane', groups: ['a', 'b'] }));
    await api.patch(ConfigMap, { namespace: 'n', name: 'a' }, 'json', []);
    assert.deepEqual(server.requests[0]?.headers, {
      'content-type': 'application/json-patch+json',
      'impersonate-user': 'jane',
      'impersonate-group': ['a', 'b'],
    });
  });
});
