// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { world, type World } from '@forge/simulation/world/world.ts';
import { Keystone } from '../api/keystone.ts';
import { managedFixture } from './managed-keystone.ts';
import { operatorOf } from './simulation/operator.ts';
import { keystoneStart } from './simulation/starting-point.ts';
import { home } from './start-keystone-operator.ts';

/** The operator's requests so far, watches left out. */
const requestsOf = ({ trace }: World) =>
  trace.lines.filter((line) => /keystone#1 sends (?!WATCH)/.test(line)).map((line) => line.split(' sends ')[1] ?? '');

const isReady = (state: ClusterState) =>
  state.find(Keystone, home)?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ===
  true;

test('a managed Keystone with defaults is Ready after exactly 48 requests within 2 s, and costs none when settled', async () => {
  const start = await keystoneStart();
  const processes = [operatorOf({ resync: minutes(10) })];
  await using here = await world({ from: start.server, environment: start.fork(), processes });
  await here.settle();
  const before = requestsOf(here).length;
  const { uid: _, generation: __, ...metadata } = managedFixture().metadata;
  await here.during(here.user.create(Keystone, { ...managedFixture(), metadata }));
  const created = here.clock.now();
  await here.until(isReady);

  assert.ok(here.clock.now() - created <= 2000, `Ready after ${here.clock.now() - created} ms`);
  await here.settle();
  const requests = requestsOf(here).slice(before);
  const counts = Object.fromEntries(
    [...Map.groupBy(requests, (request) => request.split(' ')[0])].map(([verb, { length }]) => [verb, length]),
  );
  assert.deepEqual(counts, { GET: 2, PATCH: 23, POST: 13, PUT: 10 });

  const settled = requestsOf(here).length;
  await here.advance(minutes(31)); // three resyncs, and the bootstrap Job goes
  assert.deepEqual(requestsOf(here).slice(settled), []);
});
