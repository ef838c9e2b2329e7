// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Container } from '@forge/kube/generated/types.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ExecResult } from '../exec/exec-in.ts';
import { eventually, testKubelet, ref } from '../test/test-kubelet.ts';

const container = (name: string, more: Partial<Container> = {}): Container => ({ name, image: 'web:1', ...more });
const sidecar = (name: string, more: Partial<Container> = {}) => container(name, { restartPolicy: 'Always', ...more });

type Node = Awaited<ReturnType<typeof testKubelet>>;

const names = ({ started }: Node) => started.map(({ name }) => name).join(' ');
const last = ({ started }: Node, name: string) => started.findLast((each) => each.name === name);
const pod = ({ kube }: Node) => kube.get(Pod, ref);
const conditionOf = async (node: Node, wanted: string) => {
  const found = (await pod(node)).status?.conditions?.find(({ type }) => type === wanted);
  return [found?.status, found?.message].filter(Boolean).join(' ');
};

describe('sidecars', () => {
  test('start in order, each when the previous one has passed its startup probe, and before the containers', async () => {
    await using node = await testKubelet();
    const probed = Promise.withResolvers<ExecResult>();
    node.commands.set('is-up', probed.promise);
    const startupProbe = { exec: { command: ['is-up'] }, periodSeconds: 1 };
    await node.create({
      initContainers: [sidecar('proxy', { startupProbe }), container('init'), sidecar('logs')],
      containers: [container('main')],
    });
    const first = async () => (await pod(node)).status?.initContainerStatuses?.[0];
    await eventually('the first runs', async () => (await first())?.state?.running);
    await node.clock.advance(seconds(1));
    assert.equal(names(node), 'proxy');
    assert.equal(await conditionOf(node, 'Initialized'), 'False containers with incomplete status: [proxy init logs]');
    probed.resolve({ exitCode: 0, output: '' });
    await eventually('the init container runs', async () => names(node) === 'proxy init');
    last(node, 'init')?.exit(0);
    await eventually('all run', async () => names(node) === 'proxy init logs main');
    await eventually('it is ready', async () => (await conditionOf(node, 'Ready')) === 'True');
    const { status } = await pod(node);
    assert.equal(status?.phase, 'Running');
    assert.deepEqual(
      status.initContainerStatuses?.map(({ name, ready, started }) => [name, ready, started]),
      [
        ['proxy', true, true],
        ['init', true, false],
        ['logs', true, true],
      ],
    );
  });

  test('are restarted when they exit, without affecting the containers, and count for readiness', async () => {
    await using node = await testKubelet();
    await node.create({ restartPolicy: 'Never', initContainers: [sidecar('proxy')], containers: [container('main')] });
    await eventually('it is ready', async () => (await conditionOf(node, 'Ready')) === 'True');
    const proxy = async () => (await pod(node)).status?.initContainerStatuses?.[0];
    last(node, 'proxy')?.exit(0);
    await eventually('it runs again', async () => (await proxy())?.restartCount === 1 && (await proxy())?.ready);
    last(node, 'proxy')?.exit(0);
    await eventually('it waits', async () => (await proxy())?.state?.waiting?.reason === 'CrashLoopBackOff');
    assert.equal(await conditionOf(node, 'Ready'), 'False containers with unready status: [proxy]');
    assert.equal((await pod(node)).status?.phase, 'Running');
    await node.clock.advance(seconds(10));
    await eventually('it is ready again', async () => (await conditionOf(node, 'Ready')) === 'True');
    assert.equal(names(node), 'proxy main proxy proxy');
    const { status } = await pod(node);
    assert.equal(status?.initContainerStatuses?.[0]?.restartCount, 2);
    assert.equal(status.containerStatuses?.[0]?.restartCount, 0);
    assert.equal(await conditionOf(node, 'Initialized'), 'True');
  });

  test('do not block completion: they stop when the containers are done', async () => {
    await using node = await testKubelet();
    await node.create({
      restartPolicy: 'OnFailure',
      initContainers: [sidecar('proxy')],
      containers: [container('main')],
    });
    await eventually('both run', async () => names(node) === 'proxy main');
    last(node, 'main')?.exit(0);
    await eventually('the sidecar is stopped', async () => last(node, 'proxy')?.signals.join() === 'SIGTERM');
    assert.equal((await pod(node)).status?.phase, 'Running');
    last(node, 'proxy')?.exit(143);
    await eventually('it has succeeded', async () => (await pod(node)).status?.phase === 'Succeeded');
    await node.clock.advance(seconds(600));
    assert.equal(names(node), 'proxy main');
    await eventually('its network is gone', async () => node.attached.size === 0);
  });

  test('stop when an init container has failed permanently', async () => {
    await using node = await testKubelet();
    await node.create({
      restartPolicy: 'Never',
      initContainers: [sidecar('proxy'), container('init')],
      containers: [container('main')],
    });
    await eventually('both run', async () => names(node) === 'proxy init');
    last(node, 'init')?.exit(1);
    await eventually('the sidecar is stopped', async () => last(node, 'proxy')?.signals.join() === 'SIGTERM');
    last(node, 'proxy')?.exit(0);
    await eventually('it has failed', async () => (await pod(node)).status?.phase === 'Failed');
  });

  test('are terminated after the containers and in reverse order, within the grace period of the pod', async () => {
    await using node = await testKubelet();
    await node.create({
      terminationGracePeriodSeconds: 20,
      initContainers: [sidecar('one'), sidecar('two')],
      containers: [container('main')],
    });
    await eventually('all run', async () => (await conditionOf(node, 'Ready')) === 'True');
    assert.equal(names(node), 'one two main');
    // An exited container gets one more signal, without effect.
    const signals = () => ['main', 'two', 'one'].map((name) => last(node, name)?.signals.join(' ') ?? '');
    await node.kube.delete(Pod, ref);
    await eventually('the container is terminated', async () => last(node, 'main')?.signals.length);
    await node.clock.settle();
    assert.deepEqual(signals(), ['SIGTERM', '', '']);
    last(node, 'main')?.exit(0);
    await eventually('the last sidecar is terminated', async () => last(node, 'two')?.signals.length);
    await node.clock.settle();
    assert.deepEqual(signals(), ['SIGTERM SIGKILL', 'SIGTERM', '']);
    // It does not stop, so the first one gets the minimum grace period.
    await node.clock.advance(seconds(20));
    await eventually('both are terminated', async () => signals().join() === 'SIGTERM SIGKILL,SIGTERM SIGKILL,SIGTERM');
    await node.clock.advance(seconds(2));
    await eventually('the pod is gone', async () => (await node.kube.find(Pod, ref)) === undefined);
    assert.equal(signals()[2], 'SIGTERM SIGKILL');
  });
});
