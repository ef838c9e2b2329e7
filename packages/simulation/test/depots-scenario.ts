// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition, Job, Pod, Secret } from '@forge/kube/builtin.ts';
import type { Client } from '@forge/kube/client.ts';
import { crdOf } from '@forge/kube/crd.ts';
import { timestamp } from '@forge/runtime/clock.ts';
import type { Controller } from '@forge/runtime/controller.ts';
import { controllerReference } from '@forge/runtime/owner-reference.ts';
import { operatorProcess } from '../operator-process.ts';
import type { Scenario } from '../scenario.ts';
import { Depot, depotController, Route } from './depots.ts';

const namespace = 'default';
const place = (name: string) => ({ namespace, name });
const types = { apiVersion: Depot.apiVersion, kind: Depot.kind };

/** Plays the cluster: Jobs complete at once, or hang on an image that cannot be pulled. */
const jobs: Controller = {
  name: 'jobs',
  for: Job,
  async reconcile(ref, { cache, client, clock }) {
    const job = cache.get(Job, ref);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    if ((job.status?.conditions ?? []).length > 0 || (job.status?.active ?? 0) > 0) return undefined;
    const image = job.spec?.template.spec?.containers[0]?.image ?? '';
    const time = timestamp(clock);
    const isBad = image === 'bad';
    if (isBad) await createStuckPod(job, client);
    const done = [
      { type: 'SuccessCriteriaMet', status: 'True' },
      { type: 'Complete', status: 'True', lastTransitionTime: time },
    ];
    const status = isBad
      ? { active: 1, ready: 0, startTime: time }
      : { succeeded: 1, startTime: time, completionTime: time, conditions: done };
    await client.patch(Job, ref, 'merge', { status }, { subresource: 'status' });
    return undefined;
  },
};

async function createStuckPod(job: Job, client: Client): Promise<void> {
  const labels = { 'batch.kubernetes.io/job-name': job.metadata.name };
  const metadata = { ...place(`${job.metadata.name}-pod`), labels, ownerReferences: [controllerReference(job)] };
  const spec = { containers: [{ name: 'build', image: 'bad' }] };
  if ((await client.find(Pod, metadata)) === undefined) {
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  }
  const state = { waiting: { reason: 'ErrImagePull' } };
  const stuck = { name: 'build', image: 'bad', imageID: '', ready: false, restartCount: 0, state };
  const status = { phase: 'Pending', containerStatuses: [stuck] };
  await client.patch(Pod, metadata, 'merge', { status }, { subresource: 'status' });
}

const setSpec = (name: string, spec: object) => (user: Client) => user.patch(Depot, place(name), 'merge', { spec });

/** The life of two depots, of which one is parked: a pod visits, routes come, a bad image is corrected, a pause, an end. */
export const depotsScenario = ({ end }: { end: boolean }): Scenario => ({
  given: (user) => user.create(CustomResourceDefinition, crdOf(Depot)),
  play() {
    const closed = new Set<string>();
    let hadKeys = false;
    return {
      processes: [
        { ...operatorProcess('jobs', () => [jobs]), reliable: true },
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
        setSpec('a', { image: 'bad' }),
        setSpec('a', { image: 'two' }),
        setSpec('a', { paused: true }),
        setSpec('a', { paused: false, image: 'three' }),
        (user) => user.delete(CustomResourceDefinition, { name: 'routes.sample.forge.c5c3.io' }),
        // Where events may be held back, nobody may have seen what ends here.
        ...(end ? [(user: Client) => user.delete(Depot, place('a'))] : []),
      ],
      rules: {
        'keys outlive their depot': (cluster) => {
          const isThere = cluster.find(Secret, place('a-keys')) !== undefined;
          hadKeys ||= isThere;
          return isThere || !hadKeys;
        },
        'a parked depot is never held': (cluster) => {
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
