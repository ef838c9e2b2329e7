// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { runSteps } from '../run/run-steps.ts';
import { electedProcesses } from '../scenario/operator-process.ts';
import { environment } from '../world/environment.ts';
import { prepareCluster } from '../world/prepare-cluster.ts';
import { world } from '../world/world.ts';
import { websitesScenario } from './websites-scenario.ts';

// Renewed less often than usual, to save time, but often enough to displace everything else from the watch history.
const timing = { retryPeriod: seconds(8) };
const scenario = websitesScenario((controllers) => electedProcesses('websites', controllers, { replicas: 1, timing }));

describe('an idle operator', () => {
  test('sends nothing in 24 hours except Lease renewals and watches, and accumulates nothing', async () => {
    const server = await prepareCluster({ setUp: async (user) => scenario.setUp?.(user) });
    const play = scenario.newRun();
    await using here = await world({ ...play, from: server, environment: environment({ workloads: false }) });
    await runSteps(here, play);

    const baseline = async () => ({
      waiting: here.context.scheduler.waiting,
      watches: here.processes.map(({ watches }) => watches),
      // Read last: time passes meanwhile, and a renewal may be in flight.
      events: (await here.during(here.user.list(Event))).items.length,
    });
    await here.advance(seconds(1));
    const before = await baseline();
    const begin = here.trace.lines.length;
    await here.advance(minutes(24 * 60));
    const sent = here.trace.lines.slice(begin).flatMap((line) => / sends (.*)/.exec(line)?.[1] ?? []);
    assert.deepEqual(
      sent.filter((request) => !isExpected(request)),
      [],
    );
    assert.ok(sent.length > 0);
    assert.deepEqual(await baseline(), before);
    await server.close();
  });
});

/** Whether the request only keeps an existing Lease or watch alive. */
function isExpected(request: string): boolean {
  return request.startsWith('WATCH ') || request.endsWith('/leases/websites');
}
