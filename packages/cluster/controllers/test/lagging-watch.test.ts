// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Job, PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, now, seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { isTerminal } from '../../objects/pod-state.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { db, volumeClaimTemplates, web, work } from './manifests.ts';

const latePods = (path: string) => (path.endsWith('/pods') ? milliseconds(700) : now);
const lateRest = (path: string) => (path.endsWith('/pods') ? now : milliseconds(700));

const endless = { exit: { code: 0, after: seconds(9000) } };

/** Records every pod by uid, and whether two templates ever ran at the same time. */
async function follow(client: Client, seen: Map<string, string>): Promise<Set<string>> {
  const { items } = await client.list(Pod);
  for (const { metadata, spec } of items) seen.set(metadata.uid ?? '', spec?.containers[0]?.image ?? '');
  return new Set(items.filter((pod) => !isTerminal(pod)).map(({ spec }) => spec?.containers[0]?.image ?? ''));
}

for (const [title, lag] of [
  ['pods', latePods],
  ['everything but pods', lateRest],
] as const) {
  describe(`controllers whose watch of ${title} lags`, () => {
    test('create no pod twice, and with Recreate never run two templates at the same time', async () => {
      await using cluster = await testCluster({ lag, behavior: () => ({ terminationDelay: seconds(5) }) });
      const { client, clock } = cluster;
      const seen = new Map<string, string>();
      await client.create(Deployment, web('v1', { strategy: { type: 'Recreate' } }));
      for (const image of ['v1', 'v2']) {
        const template = web(image).spec?.template ?? {};
        await client.patch(Deployment, { namespace: 'default', name: 'web' }, 'merge', { spec: { template } });
        await clock.until(async () => {
          assert.ok((await follow(client, seen)).size <= 1, 'only one template runs');
          const { metadata, status } = await client.get(Deployment, { namespace: 'default', name: 'web' });
          return metadata.generation === status?.observedGeneration && status?.updatedReplicas === 3;
        });
      }
      await clock.advance(seconds(60));
      await follow(client, seen);
      assert.deepEqual([...seen.values()].toSorted(), ['v1', 'v1', 'v1', 'v2', 'v2', 'v2']);
    });

    test('replace each pod of a StatefulSet once, and create no claim twice', async () => {
      await using cluster = await testCluster({ lag, behavior: () => ({ terminationDelay: seconds(5) }) });
      const { client, clock } = cluster;
      const seen = new Map<string, string>();
      await client.create(StatefulSet, db('v1', { volumeClaimTemplates }));
      for (const image of ['v1', 'v2']) {
        const template = db(image).spec?.template ?? {};
        await client.patch(StatefulSet, { namespace: 'default', name: 'db' }, 'merge', { spec: { template } });
        await clock.until(async () => {
          await follow(client, seen);
          const { metadata, status } = await client.get(StatefulSet, { namespace: 'default', name: 'db' });
          const isCurrent = status?.currentRevision === status?.updateRevision && status?.readyReplicas === 3;
          return metadata.generation === status?.observedGeneration && isCurrent;
        });
      }
      await clock.advance(seconds(60));
      await follow(client, seen);
      assert.deepEqual([...seen.values()].toSorted(), ['v1', 'v1', 'v1', 'v2', 'v2', 'v2']);
      assert.equal((await client.list(PersistentVolumeClaim)).items.length, 3);
    });

    test('count each pod of a Job once', async () => {
      await using cluster = await testCluster({ lag, behavior: () => ({ exit: { code: 0, after: seconds(2) } }) });
      const { client, clock } = cluster;
      const ref = { namespace: 'default', name: 'work' };
      const seen = new Map<string, string>();
      await client.create(Job, work({ completions: 5, parallelism: 2 }));
      await clock.until(async () => {
        await follow(client, seen);
        return isTrue((await client.get(Job, ref)).status?.conditions, 'Complete');
      });
      const { status } = await client.get(Job, ref);
      assert.deepEqual([status?.succeeded, status?.failed, seen.size], [5, undefined, 5]);
    });

    test('report a stopped Job as failed only when its pods are deleted', async () => {
      await using cluster = await testCluster({ lag, behavior: () => ({ ...endless, terminationDelay: seconds(5) }) });
      const { client, clock } = cluster;
      const ref = { namespace: 'default', name: 'work' };
      await client.create(Job, work({ activeDeadlineSeconds: 10, parallelism: 2, completions: 2 }));
      await clock.until(async () => {
        const failed = isTrue((await client.get(Job, ref)).status?.conditions, 'Failed');
        if (failed)
          assert.deepEqual(
            (await client.list(Pod)).items.filter((pod) => !isTerminal(pod)),
            [],
          );
        return failed;
      });
      assert.equal((await client.get(Job, ref)).status?.failed, 2);
    });
  });
}
