// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { eventually, ref, testKubelet } from '../test/test-kubelet.ts';
import { serveLog } from './serve-log.ts';

test('the logs of the current and the previous run are served, and older ones are removed', async () => {
  await using node = await testKubelet();
  const { clock, started, container, create, kubelet } = node;
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://node').searchParams;
    const { namespace, name: pod } = ref;
    void serveLog(kubelet, { namespace, pod, container: 'main', query }, response, clock.now());
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const shown = async (query: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/?${query}`, { headers: { connection: 'close' } });
    return `${response.status} ${(await response.text()).trim()}`;
  };

  await create();
  for (const run of [0, 1, 2]) {
    await eventually(`run ${run} is reported`, async () => {
      const status = await container();
      return status?.restartCount === run && status.state?.running;
    });
    await writeFile(started[run]?.logPath ?? '', `2026-01-01T00:00:00.000Z stdout F run ${run}\n`);
    assert.equal(await shown(''), `200 run ${run}`);
    assert.equal(await shown('previous=false'), `200 run ${run}`);
    const none = '400 previous terminated container "main" in pod "web" not found';
    assert.equal(await shown('previous=true'), run === 0 ? none : `200 run ${run - 1}`);
    if (run === 2) break;
    started[run]?.exit(1);
    await eventually('its exit is reported', async () => (await container())?.lastState?.terminated?.exitCode === 1);
    await clock.advance(seconds(600));
  }
  await assert.rejects(access(started[0]?.logPath ?? ''), { code: 'ENOENT' });
});
