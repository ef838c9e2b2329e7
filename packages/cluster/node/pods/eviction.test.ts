// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { eventually, testKubelet, ref } from '../test/test-kubelet.ts';

const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 1);

/** A running pod with an emptyDir volume, and the volume's folder. */
async function scratchPod(node: Awaited<ReturnType<typeof testKubelet>>, emptyDir: object, more: object = {}) {
  const { metadata } = await node.create({ volumes: [{ name: 'scratch', emptyDir }], ...more });
  await eventually('it is ready', async () => (await node.container())?.ready);
  return join(node.folder, 'pods', metadata.uid ?? '', 'volumes', 'scratch');
}

/** The pending measurements: timers of their interval, set and not yet fired or cancelled. */
function dueMeasurements(clock: VirtualClock): Set<object> {
  const after = clock.after.bind(clock);
  const due = new Set<object>();
  clock.after = (delay, callback) => {
    if (delay !== seconds(10)) return after(delay, callback);
    const timer = {};
    due.add(timer);
    const over = () => due.delete(timer);
    const cancel = after(delay, () => {
      over();
      callback();
    });
    return () => {
      over();
      cancel();
    };
  };
  return due;
}

describe('an emptyDir with a size limit', () => {
  for (const medium of ['', 'Memory']) {
    test(`evicts its pod when it is exceeded (medium "${medium}")`, async () => {
      await using node = await testKubelet();
      const folder = await scratchPod(node, { sizeLimit: '1Mi', ...(medium !== '' && { medium }) });
      await writeFile(join(folder, 'a'), mebibytes(2));
      await node.clock.advance(seconds(10));
      await eventually('it is terminated', async () => node.started[0]?.signals.includes('SIGTERM'));
      assert.equal((await node.kube.get(Pod, ref)).status?.phase, 'Running');
      await node.clock.advance(seconds(2));
      await eventually('it has failed', async () => (await node.kube.get(Pod, ref)).status?.phase === 'Failed');
      const { status } = await node.kube.get(Pod, ref);
      const message = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ';
      assert.deepEqual([status?.reason, status?.message], ['Evicted', message]);
      assert.equal(status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 137);
      assert.ok(node.events.includes(`Evicted ${message}`));
      await eventually('nothing is left', async () => node.attached.size === 0);
      await node.clock.advance(seconds(600));
      assert.equal(node.started.length, 1);
      await node.kube.delete(Pod, ref);
      await eventually('the pod is gone', async () => (await node.kube.find(Pod, ref)) === undefined);
    });
  }

  test('does not count other folders, and is not evicted below the limit', async () => {
    await using node = await testKubelet();
    const folder = await scratchPod(node, { sizeLimit: '1Mi' });
    await writeFile(join(node.folder, 'elsewhere'), mebibytes(2));
    await symlink(node.folder, join(folder, 'link'));
    await writeFile(join(folder, 'a'), Buffer.alloc(512 * 1024, 1));
    await node.clock.advance(seconds(60));
    assert.equal((await node.container())?.ready, true);
    assert.deepEqual(node.started[0]?.signals, []);
    await writeFile(join(folder, 'b'), mebibytes(1));
    await eventually('it is terminated', async () => {
      await node.clock.advance(seconds(10));
      return node.started[0]?.signals.includes('SIGTERM');
    });
  });

  test('is not measured for a critical pod', async () => {
    await using node = await testKubelet();
    const due = dueMeasurements(node.clock);
    await scratchPod(node, { sizeLimit: '1Mi' }, { priorityClassName: 'system-cluster-critical' });
    assert.equal(due.size, 0);
  });

  test('is no longer measured when its pod is deleted', async () => {
    await using node = await testKubelet();
    const due = dueMeasurements(node.clock);
    await scratchPod(node, { sizeLimit: '1Mi' });
    assert.equal(due.size, 1);
    await node.kube.delete(Pod, ref, { gracePeriodSeconds: 0 });
    await eventually('the pod is gone', async () => (await node.kube.find(Pod, ref)) === undefined);
    await eventually('nothing is left', async () => node.attached.size === 0);
    assert.equal(due.size, 0);
  });

  test('is not measured when there is no limit', async () => {
    await using node = await testKubelet();
    const due = dueMeasurements(node.clock);
    await scratchPod(node, {});
    assert.equal(due.size, 0);
  });
});

describe('a node whose storage is used up', () => {
  const message = 'The node was low on resource: ephemeral-storage. Threshold quantity: 10, available: 0Ki. ';

  test('evicts a pod with its message, and counts it no longer', async () => {
    await using node = await testKubelet();
    await scratchPod(node, {});
    assert.equal(node.storageUsers.size, 1);
    for (const user of node.storageUsers) user.evict(message);
    await eventually('it is terminated', async () => node.started[0]?.signals.includes('SIGTERM'));
    await node.clock.advance(seconds(2));
    await eventually('it has failed', async () => (await node.kube.get(Pod, ref)).status?.phase === 'Failed');
    const { status } = await node.kube.get(Pod, ref);
    assert.deepEqual([status?.reason, status?.message], ['Evicted', message]);
    assert.ok(node.events.includes(`Evicted ${message}`));
    await eventually('it is not counted', async () => node.storageUsers.size === 0);
  });

  test('counts a critical pod as well', async () => {
    await using node = await testKubelet();
    await scratchPod(node, {}, { priorityClassName: 'system-cluster-critical' });
    assert.equal(node.storageUsers.size, 1);
  });
});
