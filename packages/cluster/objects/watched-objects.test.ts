// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { watchedObjects } from './watched-objects.ts';

const ref = { namespace: 'default', name: 'key' };
const secret = (text: string, immutable: boolean): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...ref },
  immutable,
  data: { key: Buffer.from(text).toString('base64') },
});

const contentOf = (found: Secret | undefined) => Buffer.from(found?.data?.['key'] ?? '', 'base64').toString();

describe('a watched Secret that is deleted and made again', () => {
  for (const [immutable, expected] of [
    [false, 'second'],
    [true, 'first'],
  ] as const) {
    test(`is the ${expected} one when the first ${immutable ? 'cannot' : 'can'} change`, async () => {
      await using cluster = await testCluster({ controllers: false, node: false });
      const { client, clock } = cluster;
      const objects = watchedObjects(cluster);
      await client.create(Secret, secret('first', immutable));
      const watched = await objects.watch(Secret, ref, () => undefined);
      assert.equal(contentOf(watched.current()), 'first');
      await client.delete(Secret, ref);
      await client.create(Secret, secret('second', false));
      await clock.advance(seconds(1));
      assert.equal(contentOf(watched.current()), expected);
      const other = await objects.watch(Secret, ref, () => undefined);
      assert.equal(contentOf(other.current()), expected);

      watched.release();
      other.release();
      const later = await objects.watch(Secret, ref, () => undefined);
      assert.equal(contentOf(later.current()), 'second');
      later.release();
    });
  }
});
