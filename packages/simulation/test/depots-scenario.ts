// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { environment } from '../world/environment.ts';
import { Depot, depotController, Route } from './depots.ts';

const namespace = 'default';
const place = (name: string) => ({ namespace, name });
const types = { apiVersion: Depot.apiVersion, kind: Depot.kind };

const missingImage = 'missing';

const setSpec = (name: string, spec: object) => (user: Client) => user.patch(Depot, place(name), 'merge', { spec });

/**
 * The lifecycle of two depots, one of which is parked: a pod is added, routes are installed, a bad image is corrected,
 * reconciliation is paused, and one depot is deleted.
 */
export const depotsScenario = ({ end }: { end: boolean }): Scenario => ({
  setUp: (user) => user.create(CustomResourceDefinition, crdOf(Depot)),
  newRun() {
    const closed = new Set<string>();
    const { pods, processes: around } = environment();
    pods.add({ image: missingImage }, { stuck: 'cannot pull' });
    let hadKeys = false;
    return {
      processes: [
        ...around,
        operatorProcess('depots', ({ outside }) => [
          depotController((depot) => outside('the gate', () => void closed.add(depot))),
        ]),
      ],
      steps: [
        async (user) => {
          for (const name of ['a', 'b'])
            await user.create(Depot, { ...types, metadata: place(name), spec: { image: 'one', paused: false } });
        },
        async (user) => {
          const metadata = { ...place('guest'), labels: { visits: 'a' } };
          await user.create(Pod, {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata,
            spec: { containers: [{ name: 'c', image: 'x' }] },
          });
        },
        (user) => user.create(CustomResourceDefinition, crdOf(Route)),
        setSpec('a', { image: missingImage }),
        setSpec('a', { image: 'two' }),
        setSpec('a', { paused: true }),
        setSpec('a', { paused: false, image: 'three' }),
        (user) => user.delete(CustomResourceDefinition, { name: 'routes.sample.forge.c5c3.io' }),
        // When events are held back, the operator may never have seen this object.
        ...(end ? [(user: Client) => user.delete(Depot, place('a'))] : []),
      ],
      rules: {
        'keys are retained when their depot is deleted': (cluster) => {
          const isThere = cluster.find(Secret, place('a-keys')) !== undefined;
          hadKeys ||= isThere;
          return isThere || !hadKeys;
        },
        'a parked depot never has a finalizer': (cluster) => {
          const held = ['a', 'b'].filter(
            (name) => (cluster.find(Depot, place(name))?.metadata.finalizers ?? []).length > 0,
          );
          return held.length < 2;
        },
      },
      outside: () => [...closed],
    };
  },
});
