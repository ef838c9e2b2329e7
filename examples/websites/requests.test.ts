// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { startOperator } from '@forge/testing/start-operator.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { Certificate, Theme, Website, websitesOperator } from './websites.ts';

const namespace = 'default';
const website = { apiVersion: Website.apiVersion, kind: Website.kind, spec: { theme: 'plain', text: 'Hello' } };
const theme = { apiVersion: Theme.apiVersion, kind: Theme.kind, spec: { color: 'red' } };

test('a Website takes three writes until it is ready, then none; all other requests are watches', async () => {
  await using cluster = await testCluster({ controllers: false });
  const { client: user, clock } = cluster;
  for (const kind of [Website, Theme, Certificate]) await installKind(cluster, kind);
  await user.create(Theme, { ...theme, metadata: { namespace, name: 'plain' } });
  const { name, kinds, controllers } = websitesOperator({ farewell: async () => {} });
  await using operator = await startOperator(
    cluster,
    { lease: { namespace, name }, kinds, controllers },
    { write: ({ level, message }) => assert.ok(level === 'debug' || level === 'info', message) },
  );
  await clock.settle();
  operator.reads();

  const names = ['blog', 'shop', 'wiki'];
  for (const each of names) await user.create(Website, { ...website, metadata: { namespace, name: each } });
  const isReady = async () => {
    const { items } = await user.list(Website);
    return items.every(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  };
  await clock.until(isReady, minutes(1));
  await clock.settle();
  // The finalizer, the page, the status.
  const writes = names.flatMap((each) => [
    `PATCH websites/${each}`,
    `PATCH configmaps/${each}`,
    `PUT websites/${each}/status`,
  ]);
  assert.deepEqual(operator.writes().toSorted(), writes.toSorted());
  assert.deepEqual(operator.reads(), []);

  // Every ten minutes all of them are resynced.
  await clock.advance(minutes(60));
  assert.deepEqual([...operator.writes(), ...operator.reads()], []);
});
