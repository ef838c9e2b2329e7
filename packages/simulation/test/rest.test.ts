// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { Event } from '@forge/kube/kinds/builtin.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { simulatedProcess } from '../process/simulated-process.ts';
import { runSteps } from '../run/run-steps.ts';
import { simulatedCluster } from '../run/simulated-cluster.ts';
import { electedProcesses } from '../scenario/operator-process.ts';
import { websitesScenario } from './websites-scenario.ts';

// Renewed less often than usual, to save time; but often enough to push everything else out of the watch history.
const timing = { retryPeriod: seconds(8) };
const scenario = websitesScenario((controllers) => electedProcesses('websites', controllers, { replicas: 1, timing }));

describe('an idle operator', () => {
  test('sends nothing in 24 hours except Lease renewals and watches, and accumulates nothing', async () => {
    const server = await apiServer({ clock: virtualClock(), random: seededRandom() });
    await scenario.setUp?.(client(inProcessTransport(server)));
    const here = await simulatedCluster({ seed: 1, faults: [] }, server);
    const play = scenario.newRun();
    const processes = play.processes.map((process) => simulatedProcess(process, here.context));
    await runSteps(here, play, processes);

    const baseline = async () => ({
      waiting: here.context.scheduler.waiting,
      watches: processes.map(({ watches }) => watches),
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
    for (const process of processes) process.end();
    await here.context.server.close();
    await server.close();
  });
});

/** Whether the request continues something that existed before. */
function isExpected(request: string): boolean {
  return request.startsWith('WATCH ') || request.endsWith('/leases/websites');
}
