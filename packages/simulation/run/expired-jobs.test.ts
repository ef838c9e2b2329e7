// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Job } from '@forge/kube/kinds/builtin.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { environment } from '../world/environment.ts';
import { prepareCluster } from '../world/prepare-cluster.ts';
import { simulation } from './simulation.ts';

const ref = { namespace: 'default', name: 'a' };
const job: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: ref,
  spec: {
    ttlSecondsAfterFinished: 60,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'work' }] } },
  },
};

/** A Job for a ConfigMap: created once, or recreated whenever it is gone. */
function scenario({ once }: { once: boolean }): Scenario {
  const controller: Controller = {
    name: 'job-starter',
    for: ConfigMap,
    watches: [watch(Job, () => [ref])],
    async reconcile(_, { client, cache }) {
      const source = cache.get(ConfigMap, ref);
      if (source === undefined || source.data?.['started'] === 'yes' || cache.get(Job, ref) !== undefined) {
        return undefined;
      }
      await client.create(Job, job);
      if (once) await client.patch(ConfigMap, ref, 'merge', { data: { started: 'yes' } });
      return undefined;
    },
  };
  return {
    from: () => prepareCluster(),
    newRun: () => ({
      processes: [...environment().processes, operatorProcess('starter', () => [controller])],
      steps: [
        (user) => user.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref }),
        (_, { clock }) => sleep(clock, minutes(2)),
      ],
    }),
  };
}

describe('a simulation with Jobs that expire', () => {
  test('compares the state after they have expired, no matter how late they finished', async () => {
    const jobs = await simulation(scenario({ once: true }));
    const held = {
      process: 'starter',
      at: jobs.baseline.operations.get('starter')?.event ?? 0,
      fault: 'hold',
    } as const;
    for (let at = 1; at <= held.at; at += 1) {
      const { violations } = await jobs.replay({ seed: 1, faults: [{ ...held, at }] });
      assert.deepEqual(violations, []);
    }
    assert.equal(jobs.baseline.changeCounts.get('DELETED jobs.batch/default/a'), 1);
  });

  test('reports a Job that is recreated whenever it has expired', async () => {
    await assert.rejects(simulation(scenario({ once: false })), /jobs.batch\/default\/a is recreated/);
  });
});
