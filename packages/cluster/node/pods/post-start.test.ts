// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { Container } from '@forge/kube/generated/types.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ExecResult } from '../exec/exec-in.ts';
import { eventually, testKubelet, ref } from '../test/test-kubelet.ts';

const withHook = (postStart: NonNullable<Container['lifecycle']>['postStart']): Container[] => [
  { name: 'main', image: 'web:1', ...(postStart && { lifecycle: { postStart } }) },
];

describe('a postStart hook', () => {
  test('completes before the container is running and the next one starts', async () => {
    await using node = await testKubelet();
    const done = Promise.withResolvers<ExecResult>();
    node.commands.set('register me', done.promise);
    const containers = [...withHook({ exec: { command: ['register', 'me'] } }), { name: 'next', image: 'web:1' }];
    await node.create({ containers });
    await eventually('it is started', async () => node.events.includes('Started Started container main'));
    await node.clock.advance(seconds(5));
    assert.equal((await node.container())?.state?.running, undefined);
    assert.deepEqual(
      node.started.map(({ name }) => name),
      ['main'],
    );
    done.resolve({ exitCode: 0, output: '' });
    await eventually('it is ready', async () => (await node.container())?.ready);
    await eventually('the next is started', async () => node.started.length === 2);
  });

  test('that fails kills the container, emits an event, and the container is restarted', async () => {
    await using node = await testKubelet();
    node.commands.set('register', Promise.resolve({ exitCode: 3, output: 'no such secret' }));
    await node.create({ terminationGracePeriodSeconds: 5, containers: withHook({ exec: { command: ['register'] } }) });
    await eventually('it is stopped', async () => node.started[0]?.signals.includes('SIGTERM'));
    assert.ok(node.events.includes('FailedPostStartHook PostStartHook failed'));
    assert.ok(node.events.every((event) => !event.includes('no such secret')));
    node.started[0]?.exit(143);
    await eventually('it is restarted', async () => node.started.length === 2);
    await eventually('it is stopped again', async () => node.started[1]?.signals.includes('SIGTERM'));
    node.started[1]?.exit(143);
    const waiting = async () => (await node.container())?.state?.waiting?.reason;
    await eventually('it waits', async () => (await waiting()) === 'CrashLoopBackOff');
    assert.equal((await node.container())?.lastState?.terminated?.exitCode, 143);
  });

  test('that fails in a pod with restartPolicy Never fails the pod', async () => {
    await using node = await testKubelet();
    node.commands.set('register', Promise.resolve({ exitCode: 3, output: '' }));
    await node.create({ restartPolicy: 'Never', containers: withHook({ exec: { command: ['register'] } }) });
    await eventually('it is stopped', async () => node.started[0]?.signals.includes('SIGTERM'));
    node.started[0]?.exit(143);
    await eventually('it has failed', async () => (await node.kube.get(Pod, ref)).status?.phase === 'Failed');
    assert.equal((await node.container())?.state?.terminated?.exitCode, 143);
  });

  test('may sleep', async () => {
    await using node = await testKubelet();
    await node.create({ containers: withHook({ sleep: { seconds: 7 } }) });
    await eventually('it is started', async () => node.started.length === 1);
    await eventually('it sleeps', async () => node.events.includes('Started Started container main'));
    await node.clock.advance(seconds(6));
    assert.equal((await node.container())?.ready ?? false, false);
    await node.clock.advance(seconds(1));
    await eventually('it is ready', async () => (await node.container())?.ready);
  });

  test('may send a request, and succeeds with any response', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const httpGet = { host: '127.0.0.1', port, path: '/started' };
    {
      await using node = await testKubelet();
      await node.create({ containers: withHook({ httpGet }) });
      await eventually('it is ready', async () => (await node.container())?.ready);
      assert.deepEqual(asked, ['/started']);
    }
    server.close();
    await once(server, 'close');
    await using node = await testKubelet();
    await node.create({ containers: withHook({ httpGet }) });
    await eventually('it is stopped', async () => node.started[0]?.signals.includes('SIGTERM'));
    assert.ok(node.events.includes('FailedPostStartHook PostStartHook failed'));
  });

  test('does not block deletion of its pod', async () => {
    await using node = await testKubelet();
    await node.create({ terminationGracePeriodSeconds: 3600, containers: withHook({ sleep: { seconds: 3600 } }) });
    await eventually('it is started', async () => node.events.includes('Started Started container main'));
    await node.kube.delete(Pod, ref);
    await eventually('it is terminated', async () => node.started[0]?.signals.includes('SIGTERM'));
    node.started[0]?.exit(0);
    await eventually('the pod is gone', async () => (await node.kube.find(Pod, ref)) === undefined);
  });
});
