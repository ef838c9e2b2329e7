// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { electedProcesses } from '../scenario/operator-process.ts';
import type { Scenario, ScenarioRun } from '../scenario/scenario.ts';
import { simulation } from './simulation.ts';

const configMap = (name: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name },
});

const create: ScenarioRun['steps'][number] = (user) =>
  Promise.all(['a', 'b'].map((name) => user.create(ConfigMap, configMap(name))));

/** Two replicas that mark ConfigMaps, two concurrently; a careless one marks each twice. */
function marking({ careless = false } = {}): Scenario {
  const mark = { data: { marked: 'yes' } };
  const controller: Controller = {
    name: 'marker',
    for: ConfigMap,
    workers: 2,
    async reconcile(ref, { client, cache }) {
      const isMarked = cache.get(ConfigMap, ref)?.data?.['marked'] === 'yes';
      if (!isMarked) await client.patch(ConfigMap, ref, 'merge', mark);
      if (!isMarked && careless) await client.patch(ConfigMap, ref, 'merge', mark);
      return undefined;
    },
  };
  const processes = electedProcesses('marker', () => [controller]).map((each) => ({ ...each, frugal: true }));
  return { newRun: () => ({ processes, steps: [create] }) };
}

const seeds = 20;

describe('a simulation of a frugal process', () => {
  test('reports writes that changed nothing', async () => {
    await assert.rejects(simulation(marking({ careless: true })), /marker-\d PATCH .*\/[ab] changed nothing/);
  });

  test('does not report one that was in flight while its Lease expired', async () => {
    const marked = await simulation(marking());
    let isLate = false;
    for (let seed = 1; seed <= seeds; seed += 1) {
      for (const process of ['marker-0', 'marker-1']) {
        const freeze = { process, at: 1, fault: 'freeze', for: 60_000 } as const;
        const { violations, trace } = await marked.replay({ seed, faults: [freeze] });
        assert.deepEqual(violations, []);
        isLate ||= trace.filter((line) => / sends PATCH .*\/configmaps\//.test(line)).length > 2;
      }
    }
    assert.ok(isLate, 'no write was repeated by another replica');
  });
});
