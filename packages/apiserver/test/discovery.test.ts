// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResourceDefinition, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { WireReader } from '@forge/kube/protobuf/wire-reader.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Backup, deployment, pod } from './objects.ts';
import { testServer } from './test-server.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

interface Table {
  columnDefinitions: { name: string; priority: number }[] | null;
  rows: { cells: unknown[]; object: { kind: string } }[];
}

test('version and health are public, and nothing else is', async () => {
  const { server } = await testServer();
  const ask = async (path: string): Promise<number> =>
    (await server.handle({ method: 'GET', path, query: {}, headers: {} })).status;
  assert.deepEqual(await Promise.all(['/healthz', '/livez', '/readyz', '/version'].map(ask)), [200, 200, 200, 200]);
  assert.deepEqual(await Promise.all(['/api', '/api/v1/pods', '/nowhere'].map(ask)), [401, 401, 401]);
});

test('a user without permissions gets the Forbidden message of kube-apiserver', async () => {
  const { server } = await testServer();
  const user = { name: 'jane', groups: ['system:authenticated'] };
  const response = await server.handle({
    method: 'GET',
    path: '/apis/apps/v1/namespaces/x/deployments',
    query: {},
    headers: {},
    user,
  });
  assert.equal(response.status, 403);
  assert.ok('payload' in response);
  assert.equal(
    (response.payload.value as { message: string }).message,
    'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" in the namespace "x"',
  );
});

test('groups, versions and resources are served by plain and aggregated discovery', async () => {
  const { get } = await testServer();
  const { body: groups } = await get('/apis');
  assert.ok((groups as { groups: { name: string }[] }).groups.some(({ name }) => name === 'apps'));
  const { body: core } = await get('/api/v1');
  const { resources } = core as { resources: { name: string; verbs: string[]; kind: string }[] };
  const observed = (wanted: string): unknown => {
    const { kind, verbs } = resources.find(({ name }) => name === wanted) ?? {};
    return [kind, verbs?.length];
  };
  assert.deepEqual(
    [observed('pods'), observed('pods/binding'), observed('pods/log')],
    [
      ['Pod', 8],
      ['Binding', 1],
      ['Pod', 1],
    ],
  );
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
  const { body: aggregated } = await get('/apis', {}, { accept });
  const { items } = aggregated as { items: { metadata: { name: string }; versions: { resources: object[] }[] }[] };
  const apps = items.find(({ metadata }) => metadata.name === 'apps');
  assert.equal(apps?.versions[0]?.resources.length, 5);
});

test('content negotiation picks the first supported representation, and fails when there is none', async () => {
  const { get } = await testServer();
  const ask = async (accept: string): Promise<unknown> => {
    const { status, body } = await get('/api/v1/configmaps', {}, { accept });
    return status === 200 ? (body as { kind: string }).kind : status;
  };
  assert.equal(await ask('application/json;as=Table;v=v1;g=meta.k8s.io,application/json'), 'Table');
  assert.equal(await ask('application/json;as=Table;v=v9;g=meta.k8s.io,application/json'), 'ConfigMapList');
  assert.equal(await ask('application/vnd.kubernetes.protobuf,application/json'), 'ConfigMapList');
  assert.equal(await ask('application/json;as=Table;v=v9;g=meta.k8s.io'), 406);
  assert.equal(await ask('application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io'), 406);
  assert.equal(await ask('text/html'), 406);
});

test('unknown resources are not found', async () => {
  const { get, refused } = await testServer();
  for (const path of [
    '/nowhere',
    '/api/v1/things',
    '/apis/example.com/v1',
    '/api/v1/namespaces/default/nodes',
    '/api/v1/namespaces/default/pods/a/nothing',
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal((await refused('POST', '/api/v1/pods', pod('a'))).code, 405);
  assert.equal((await refused('PUT', '/api/v1/namespaces/default/pods', pod('a'))).code, 405);
});

test('the OpenAPI documents describe every kind, without dangling references', async () => {
  const { get } = await testServer();
  const { body } = await get('/openapi/v3');
  const index = Object.entries((body as { paths: Record<string, { serverRelativeURL: string }> }).paths);
  assert.ok(index.length > 8);
  for (const [root, { serverRelativeURL }] of index) {
    assert.ok(serverRelativeURL.startsWith(`/openapi/v3/${root}?hash=`));
    const { body: document } = await get(`/openapi/v3/${root}`);
    const { schemas } = (document as { components: { schemas: Record<string, object> } }).components;
    const text = JSON.stringify(document);
    for (const [, component = ''] of text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)) {
      assert.ok(Object.hasOwn(schemas, component), `${root} refers to ${component}`);
    }
    // Internal schema fields are not published.
    assert.doesNotMatch(text, /"(?:zero|omitsZero)":/);
  }
  const { body: apps } = await get('/openapi/v3/apis/apps/v1');
  const { paths } = apps as { paths: Record<string, { patch?: { parameters: { name: string }[] } }> };
  const { parameters } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.patch ?? {};
  assert.ok(parameters?.some(({ name }) => name === 'fieldValidation'));
});

test('the OpenAPI document of version 2 describes every kind, custom ones too, in JSON and in protobuf', async () => {
  const { api, get, clock, server } = await testServer();
  await api.create(CustomResourceDefinition, crdOf(Backup));
  await clock.settle();
  const { body } = await get('/openapi/v2');
  const { definitions, paths } = body as { definitions: Record<string, { properties: object }>; paths: object };
  const text = JSON.stringify(body);
  for (const [, name = ''] of text.matchAll(/"#\/definitions\/([^"]*)"/g))
    assert.ok(Object.hasOwn(definitions, name), name);
  assert.doesNotMatch(text, /#\/components\//);
  assert.ok(Object.hasOwn(definitions['com.example.v1.Backup']?.properties ?? {}, 'spec'));
  assert.ok(Object.hasOwn(paths, '/apis/example.com/v1/namespaces/{namespace}/backups/{name}'));

  const headers = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };
  const user = { name: 'admin', groups: ['system:masters'] };
  const response = await server.handle({ method: 'GET', path: '/openapi/v2', query: {}, headers, user });
  assert.ok('payload' in response);
  const fields = [...new WireReader(response.payload.bytes).fields('Document')];
  assert.deepEqual([...new Set(fields.map(({ number }) => number))], [1, 2, 8, 9]);
  // Messages that occur several times are merged.
  const observed = fields
    .filter(({ number }) => number === 9)
    .flatMap(({ value }) => [...new WireReader(value as Uint8Array).fields('Definitions')]);
  assert.equal(observed.length, Object.keys(definitions).length);

  const encoded = await server.handle({ method: 'GET', path: '/openapi/v2', query: {}, headers: {}, user });
  assert.ok('payload' in encoded);
  assert.deepEqual(JSON.parse(Buffer.from(encoded.payload.bytes).toString()), JSON.parse(text));
});

test('OpenAPI documents are encoded once, and again when a definition changes', async () => {
  const { api, clock, server } = await testServer();
  const user = { name: 'admin', groups: ['system:masters'] };
  const chunksOf = async (path: string): Promise<Uint8Array[]> => {
    const response = await server.handle({ method: 'GET', path, query: {}, headers: {}, user });
    assert.ok('payload' in response);
    return response.payload.pieces === undefined ? [response.payload.bytes] : [...response.payload.pieces()].flat();
  };
  const define = async (name: string): Promise<void> => {
    await api.create(CustomResourceDefinition, crdOf({ ...Backup, plural: `${name}s`, kind: name }));
    await clock.settle();
  };
  await define('first');
  for (const [index, path] of ['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/example.com/v1'].entries()) {
    const chunks = await chunksOf(path);
    for (const [at, chunk] of (await chunksOf(path)).entries()) assert.equal(chunk, chunks[at], path);
    await define(`later${index}`);
    assert.notDeepEqual(Buffer.concat(await chunksOf(path)), Buffer.concat(chunks), path);
  }
});

test('kubectl get shows the columns of a deployment', async () => {
  const { api, get, clock } = await testServer();
  await api.create(Deployment, deployment('web'));
  await clock.advance(minutes(5));
  const { body } = await get('/apis/apps/v1/deployments', {}, table);
  const { columnDefinitions, rows } = body as Table;
  const shown = (columnDefinitions ?? []).filter(({ priority }) => priority === 0).map(({ name }) => name);
  assert.deepEqual(shown, ['Name', 'Ready', 'Up-to-date', 'Available', 'Age']);
  assert.deepEqual(rows[0]?.cells, ['web', '0/1', 0, 0, '5m', 'web', 'web:1', 'app=web']);
  assert.equal(rows[0].object.kind, 'PartialObjectMetadata');
});

function container(state: object, ready = false, restartCount = 0, lastState = {}): object {
  return {
    containerStatuses: [{ name: 'main', image: 'main:1', imageID: '', ready, restartCount, state, lastState }],
  };
}

test('kubectl get shows the status of a pod', async () => {
  const { api, get, clock } = await testServer();
  await api.create(Pod, pod('a', 'node-1'));
  const status = async (written?: object): Promise<unknown[]> => {
    const ref = { namespace: 'default', name: 'a' };
    if (written !== undefined) await api.patch(Pod, ref, 'merge', { status: written }, { subresource: 'status' });
    const { body } = await get('/api/v1/namespaces/default/pods/a', {}, table);
    return (body as Table).rows[0]?.cells.slice(1, 4) ?? [];
  };
  assert.deepEqual(await status(), ['0/1', 'Pending', '0']);
  assert.deepEqual(await status(container({ waiting: { reason: 'ContainerCreating' } })), [
    '0/1',
    'ContainerCreating',
    '0',
  ]);
  const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  assert.deepEqual(await status({ ...running, ...container({ running: {} }, true) }), ['1/1', 'Running', '0']);
  const ended = { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:00:00Z' } };
  await clock.advance(seconds(30));
  assert.deepEqual(await status(container({ waiting: { reason: 'CrashLoopBackOff' } }, false, 2, ended)), [
    '0/1',
    'CrashLoopBackOff',
    '2 (30s ago)',
  ]);
  assert.deepEqual(await status({ phase: 'Failed', ...container({ terminated: { exitCode: 3 } }) }), [
    '0/1',
    'ExitCode:3',
    '0',
  ]);
  await status({ phase: 'Running' });
  await api.delete(Pod, { namespace: 'default', name: 'a' });
  assert.equal((await status())[1], 'Terminating');
});

test('a watch of a Table has the columns once', async () => {
  const { api, transport } = await testServer();
  await api.create(Deployment, deployment('a'));
  await api.create(Deployment, deployment('b'));
  const query = { watch: 'true' };
  const events = await transport.stream({ method: 'GET', path: '/apis/apps/v1/deployments', query, headers: table });
  const definitions: (number | undefined)[] = [];
  for await (const event of events) {
    definitions.push((event as { object: Table }).object.columnDefinitions?.length);
    if (definitions.length === 2) break;
  }
  assert.deepEqual(definitions, [8, undefined]);
});
