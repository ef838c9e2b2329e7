// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoFixture } from './openbao-fixture.ts';
import { allReady } from './running-cluster.ts';
import { startOpenBaoOperator } from './start-openbao-operator.ts';

/** Events included. */
const mostRequests = 60;

test('a cluster of three is available after at most 60 requests and two calls, and costs none when settled', async () => {
  await using operator = await startOpenBaoOperator();
  const { client, clock } = operator.cluster;
  await clock.settle();
  const requests = () => [...operator.reads(), ...operator.writes()];
  requests();
  await client.create(OpenBaoCluster, openbaoFixture());
  await operator.untilCondition('Available', allReady(3));
  await clock.settle();
  const made = requests();
  assert.ok(made.length <= mostRequests, `${made.length} requests: ${made.join(', ')}`);
  assert.deepEqual(operator.calls(), ['GET demo-0 sys/health', 'PUT demo-0 sys/init']);

  await clock.advance(minutes(1)); // the new servers become voters
  requests();
  await clock.advance(minutes(10));
  assert.deepEqual([...requests(), ...operator.calls()], []);
});
