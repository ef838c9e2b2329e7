// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { simulation } from './simulation.ts';

const ref = { namespace: 'default', name: 'a' };

/** A NetworkPolicy for the pods that a ConfigMap names; a forgetful controller never updates it. */
function scenario({ forgetful = false } = {}): Scenario {
  const controller: Controller = {
    name: 'policies',
    for: ConfigMap,
    async reconcile(_, { client, cache }) {
      // While it waits for the response, the next step may become visible.
      const found = await client.find(NetworkPolicy, ref);
      const source = cache.get(ConfigMap, ref);
      if (source === undefined) return undefined;
      const spec = { podSelector: { matchLabels: source.data ?? {} } };
      if (found === undefined) {
        await client.create(NetworkPolicy, {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'NetworkPolicy',
          metadata: ref,
          spec,
        });
      } else if (JSON.stringify(found.spec?.podSelector) !== JSON.stringify(spec.podSelector) && !forgetful) {
        await client.update(NetworkPolicy, { ...found, spec });
      }
      return undefined;
    },
  };
  return {
    newRun: () => ({
      processes: [operatorProcess('policies', () => [controller])],
      steps: [
        (user) => user.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: { app: 'one' } }),
        (user) => user.patch(ConfigMap, ref, 'merge', { data: { app: 'two' } }),
      ],
    }),
  };
}

const seeds = 10;

/**
 * The violations of runs in which the process sees nothing until the end, then both steps at once or one after the
 * other.
 */
async function violationsOf(tried: Scenario): Promise<Set<string>> {
  const policies = await simulation(tried);
  const found = new Set<string>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violations } = await policies.replay({ seed, faults: [{ process: 'policies', at: 1, fault: 'hold' }] });
    for (const violation of violations) found.add(violation);
  }
  return found;
}

describe('a simulation in which a process sees several user steps at once', () => {
  test('compares the final state, not the number of changes', async () => {
    assert.deepEqual([...(await violationsOf(scenario()))], []);
  });

  test('reports a different final state', async () => {
    assert.deepEqual(
      [...(await violationsOf(scenario({ forgetful: true })))],
      [
        'networkpolicies.networking.k8s.io/default/a.spec.podSelector.matchLabels.app is "two", and "one" in the baseline run',
      ],
    );
  });
});
