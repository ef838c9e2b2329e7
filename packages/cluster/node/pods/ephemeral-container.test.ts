// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContainerStatus, EphemeralContainer } from '@forge/kube/generated/types.ts';
import { ConfigMap, Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { eventually, ref, testKubelet } from '../test/test-kubelet.ts';

type TestKubelet = Awaited<ReturnType<typeof testKubelet>>;

function add({ kube }: TestKubelet, more: Partial<EphemeralContainer> = {}): Promise<Pod> {
  const ephemeralContainers = [{ name: 'debug', image: 'shell:1', ...more }];
  return kube.patch(Pod, ref, 'strategic', { spec: { ephemeralContainers } }, { subresource: 'ephemeralcontainers' });
}

async function statusOf({ kube }: TestKubelet): Promise<ContainerStatus | undefined> {
  return (await kube.get(Pod, ref)).status?.ephemeralContainerStatuses?.[0];
}

describe('an ephemeral container', () => {
  test('is started in a running pod, once, and does not count for its readiness', async () => {
    await using node = await testKubelet();
    const { kube, clock, started, container, create } = node;
    await create();
    await eventually('the pod is ready', async () => (await container())?.ready);
    await add(node);
    await eventually('it runs', async () => (await statusOf(node))?.state?.running);
    assert.deepEqual(
      started.map(({ name }) => name),
      ['main', 'debug'],
    );
    started[1]?.exit(1);
    await eventually('it has exited', async () => (await statusOf(node))?.state?.terminated?.exitCode === 1);
    await clock.advance(seconds(600));
    const { status } = await kube.get(Pod, ref);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    assert.deepEqual([started.length, status?.phase, ready], [2, 'Running', 'True']);
  });

  test('is stopped when the containers of its pod have finished', async () => {
    await using node = await testKubelet();
    const { kube, clock, started, container, create } = node;
    await create({ restartPolicy: 'Never' });
    await eventually('the pod is ready', async () => (await container())?.ready);
    await add(node);
    await eventually('it runs', async () => (await statusOf(node))?.state?.running);
    started[0]?.exit(0);
    await eventually('it is terminated', async () => started[1]?.signals.length);
    assert.deepEqual(started[1]?.signals, ['SIGTERM']);
    await clock.advance(seconds(30));
    await eventually('the pod has succeeded', async () => (await kube.get(Pod, ref)).status?.phase === 'Succeeded');
  });

  test('may refer to objects that no other container refers to', async () => {
    await using node = await testKubelet();
    const { kube, started, container, create } = node;
    await create();
    await eventually('the pod is ready', async () => (await container())?.ready);
    await add(node, { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }] });
    const reason = async () => (await statusOf(node))?.state?.waiting?.reason;
    await eventually('it waits', async () => (await reason()) === 'CreateContainerConfigError');
    const metadata = { namespace: 'default', name: 'settings' };
    await kube.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'one' } });
    await eventually('it runs', async () => (await statusOf(node))?.state?.running);
    assert.equal(started[1]?.spec.env['A'], 'one');
  });
});
