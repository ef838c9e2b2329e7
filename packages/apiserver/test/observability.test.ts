// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { configMap } from './objects.ts';
import { testServer, type TestServer } from './test-server.ts';

async function textOf({ server }: TestServer, path: string, search = ''): Promise<string> {
  const response = await server.handle({
    method: 'GET',
    path,
    search,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: {},
    user: { name: 'admin', groups: ['system:masters'] },
  });
  assert.ok('text' in response);
  return response.text;
}

describe('health', () => {
  test('lists every check when verbose', async () => {
    const served = await testServer();
    assert.equal(await textOf(served, '/livez'), 'ok');
    assert.equal(await textOf(served, '/livez', '?verbose'), '[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n');
    assert.match(
      await textOf(served, '/readyz', '?verbose'),
      /\[\+\]informer-sync ok\n(?:.*\n)*readyz check passed\n$/,
    );
    assert.equal(
      await textOf(served, '/healthz', '?verbose&exclude=etcd&exclude=other'),
      '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "other"\nhealthz check passed\n',
    );
  });

  test('fails with the storage', async () => {
    const served = await testServer();
    await served.server.close();
    assert.equal(
      await textOf(served, '/livez'),
      '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\nlivez check failed\n',
    );
  });
});

describe('metrics', () => {
  test('count requests by resource and verb, and stored objects', async () => {
    const served = await testServer();
    await served.api.create(ConfigMap, configMap('a'));
    const abort = new AbortController();
    const events = served.api.watch(ConfigMap, { signal: abort.signal });
    await events[Symbol.asyncIterator]().next();
    const text = await textOf(served, '/metrics');
    assert.match(
      text,
      /^apiserver_request_total\{code="201",group="",resource="configmaps",.*verb="CREATE",version="v1"\} 1$/m,
    );
    assert.match(text, /^apiserver_longrunning_requests\{resource="configmaps",verb="WATCH"\} 1$/m);
    assert.match(text, /^apiserver_storage_objects\{resource="configmaps"\} [1-9]/m);
    assert.match(text, /^# TYPE process_resident_memory_bytes gauge$/m);
    abort.abort();
  });

  test('have no labels from unknown paths', async () => {
    const served = await testServer();
    for (const path of ['/api/v1/"x"', '/apis/a/b/c', '/api/v1/namespaces/default/configmaps/a/"y"']) {
      await served.get(path);
    }
    assert.doesNotMatch(await textOf(served, '/metrics'), /"x"|"y"|resource="c"/);
  });
});
