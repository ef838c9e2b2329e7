// SPDX-License-Identifier: Apache-2.0
import type { ControllerRevision, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ControllerCase, type Scenario } from '../../controller-case.ts';
import { finishPod } from '../../kubelet.ts';
import {
  changeSet,
  createReadySet,
  createSet,
  killPod,
  makeReady,
  observeRevisions,
  observeSettled,
  partition,
  template,
  webSet,
} from './web-set.ts';

/** Changes the image, and makes pods ready in this order, as the controller replaces them. */
async function roll(scenario: Scenario, image: string, ...pods: readonly string[]): Promise<void> {
  await changeSet(scenario, { template: template(image) });
  await makeReady(scenario, ...pods);
  await scenario.until<StatefulSet>(webSet, ({ status }) => status?.currentRevision === status?.updateRevision);
}

/** Updates of StatefulSets, and their revisions. */
export const updateCases: readonly ControllerCase[] = [
  testCase('pods are updated from the highest down, each when the one after it is ready', async (scenario) => {
    await createReadySet(scenario);
    await changeSet(scenario, { template: template('v2') });
    for (const name of ['web-2', 'web-1', 'web-0']) {
      await observeSettled(scenario);
      await makeReady(scenario, name);
    }
    await observeSettled(scenario);
    await observeRevisions(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate', 'SuccessfulDelete']);
  }),

  testCase('with Parallel pods are updated one by one, too', async (scenario) => {
    await createReadySet(scenario, { podManagementPolicy: 'Parallel' });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-2');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-1', 'web-0');
    await observeSettled(scenario);
  }),

  testCase('maxUnavailable has no effect: pods are updated one by one', async (scenario) => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } };
    await createReadySet(scenario, { podManagementPolicy: 'Parallel', updateStrategy });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
  }),

  testCase('the next pod is updated when the one after it was ready for minReadySeconds', async (scenario) => {
    await createReadySet(scenario, { replicas: 2 });
    await changeSet(scenario, { template: template('v2'), minReadySeconds: 20 });
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
  }),

  testCase('only pods from the partition on are updated, the others when it is lowered', async (scenario) => {
    await createReadySet(scenario, { updateStrategy: partition(2) });
    await changeSet(scenario, { template: template('v2') });
    await makeReady(scenario, 'web-2');
    await observeSettled(scenario);
    await changeSet(scenario, { updateStrategy: partition(1) });
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await changeSet(scenario, { updateStrategy: partition(0) });
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
  }),

  testCase('with a partition of all replicas no pod is updated, and those created again stay old', async (scenario) => {
    await createReadySet(scenario, { updateStrategy: partition(3) });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await killPod(scenario, 'web-2');
    await makeReady(scenario, 'web-2');
    await observeSettled(scenario);
    await changeSet(scenario, { replicas: 4 });
    await observeSettled(scenario);
  }),

  testCase('the partition counts from the first ordinal', async (scenario) => {
    await createReadySet(scenario, { ordinals: { start: 5 }, updateStrategy: partition(2) });
    await changeSet(scenario, { template: template('v2') });
    await makeReady(scenario, 'web-7');
    await observeSettled(scenario);
    await killPod(scenario, 'web-6');
    await makeReady(scenario, 'web-6');
    await observeSettled(scenario);
  }),

  testCase('with OnDelete pods are updated when they are deleted, and the current revision stays', async (scenario) => {
    await createReadySet(scenario, { updateStrategy: { type: 'OnDelete' } });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    for (const name of ['web-1', 'web-0', 'web-2']) {
      await killPod(scenario, name);
      await makeReady(scenario, name);
      await observeSettled(scenario);
    }
    await changeSet(scenario, { updateStrategy: partition(0) });
    await observeSettled(scenario);
  }),

  testCase('a pod that dies in a rollout comes back new', async (scenario) => {
    await createReadySet(scenario);
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await killPod(scenario, 'web-0');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-2', 'web-1');
    await observeSettled(scenario);
  }),

  testCase('a pod that dies below the partition in a rollout comes back old', async (scenario) => {
    await createReadySet(scenario, { updateStrategy: partition(2) });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await killPod(scenario, 'web-0');
    await makeReady(scenario, 'web-0', 'web-2');
    await observeSettled(scenario);
  }),

  testCase('with Parallel an outdated pod that fails in a rollout comes back new', async (scenario) => {
    await createReadySet(scenario, { podManagementPolicy: 'Parallel' });
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await finishPod(scenario, 'web-0', 1);
    await observeSettled(scenario);
    await makeReady(scenario, 'web-0', 'web-2', 'web-1');
    await observeSettled(scenario);
  }),

  testCase('pods added in a rollout are new, and come before the update of others', async (scenario) => {
    await createReadySet(scenario);
    await changeSet(scenario, { template: template('v2') });
    await observeSettled(scenario);
    await changeSet(scenario, { replicas: 5 });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-2', 'web-3');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-4', 'web-1', 'web-0');
    await observeSettled(scenario);
  }),

  testCase('a set scaled down in a rollout goes on with the pods that stay', async (scenario) => {
    await createReadySet(scenario, { replicas: 4 });
    await changeSet(scenario, { template: template('v2') });
    await makeReady(scenario, 'web-3');
    await observeSettled(scenario);
    await changeSet(scenario, { replicas: 2 });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-1', 'web-0');
    await observeSettled(scenario);
  }),

  testCase('a template changed in a rollout replaces the pods of both earlier ones', async (scenario) => {
    await createReadySet(scenario);
    await changeSet(scenario, { template: template('v2') });
    await makeReady(scenario, 'web-2');
    await observeSettled(scenario);
    await changeSet(scenario, { template: template('v3') });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-2', 'web-1', 'web-0');
    await observeSettled(scenario);
    await observeRevisions(scenario);
  }),

  testCase('an earlier template makes its revision the newest again', async (scenario) => {
    await createReadySet(scenario, { replicas: 1 });
    await roll(scenario, 'v2', 'web-0');
    await roll(scenario, 'v3', 'web-0');
    await observeRevisions(scenario);
    await roll(scenario, 'v1', 'web-0');
    await observeRevisions(scenario);
    await observeSettled(scenario);
  }),

  testCase('unused revisions above revisionHistoryLimit are deleted, oldest first', async (scenario) => {
    await createReadySet(scenario, { replicas: 1, revisionHistoryLimit: 1 });
    for (const image of ['v2', 'v3', 'v4']) await roll(scenario, image, 'web-0');
    await observeRevisions(scenario);
    await changeSet(scenario, { revisionHistoryLimit: 0 });
    await observeRevisions(scenario);
    await changeSet(scenario, { template: template('v5') });
    await observeRevisions(scenario);
    await makeReady(scenario, 'web-0');
    await observeRevisions(scenario);
  }),

  testCase('a revision whose name is taken gets another, and the collision is counted', async (scenario) => {
    await createReadySet(scenario, { replicas: 1 });
    const { status } = await scenario.until<StatefulSet>(webSet, () => true);
    const path = `apps/v1/controllerrevisions/${status?.currentRevision}`;
    await scenario.delete(webSet);
    await scenario.until(path, (_, code) => code === 404);
    await scenario.until('pods/web-0', (_, code) => code === 404);
    await scenario.post<ControllerRevision>('apps/v1/controllerrevisions', {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: status?.currentRevision },
      data: { other: true },
      revision: 7,
    });
    await createSet(scenario, { replicas: 1 });
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
    await observeRevisions(scenario);
  }),
];
