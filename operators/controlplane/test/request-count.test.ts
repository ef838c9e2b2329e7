// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { allReady, startControlPlaneOperator, createControlPlane } from './start-control-plane-operator.ts';

/** The requests so far, counted by their verbs. */
function countsOf(requests: readonly string[]): Record<string, number> {
  const verbs = Map.groupBy(requests, (request) => request.split(' ')[0] ?? '');
  return Object.fromEntries([...verbs].map(([verb, { length }]) => [verb, length]));
}

test('a managed ControlPlane with defaults is Ready after exactly 34 requests, and costs none when settled', async () => {
  await using operator = await startControlPlaneOperator();
  const { clock } = operator.cluster;
  await clock.settle();
  const requests = () => [...operator.reads(), ...operator.writes()];
  requests();
  await createControlPlane(operator);
  await operator.untilCondition('Ready', allReady);
  await clock.settle();
  assert.deepEqual(countsOf(requests()), { GET: 1, PATCH: 21, POST: 4, PUT: 8 });

  await clock.advance(minutes(31)); // three resyncs, and as many trial logins
  assert.deepEqual(requests(), []);
});
