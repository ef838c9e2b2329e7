// SPDX-License-Identifier: Apache-2.0
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import { volumeClaimTemplates } from '../../../manifests.ts';
import { testCase, type ControllerCase, type List, type Scenario } from '../../controller-case.ts';
import {
  changeSet,
  createReadySet,
  createSet,
  killPod,
  makeReady,
  observeClaims,
  observeSettled,
  touchPod,
  webSet,
} from './web-set.ts';

type Policy = NonNullable<StatefulSetSpec['persistentVolumeClaimRetentionPolicy']>;

const claim = (ordinal: number): string => `persistentvolumeclaims/data-web-${ordinal}`;

function policy(whenScaled: string, whenDeleted: string): { persistentVolumeClaimRetentionPolicy: Policy } {
  return { persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } };
}

/** A finalizer that keeps a deleted claim until it is removed. */
async function keep(scenario: Scenario, ordinal: number): Promise<void> {
  const finalizers = ['example.com/keep', 'kubernetes.io/pvc-protection'];
  await scenario.patch('merge', claim(ordinal), { metadata: { finalizers } });
}

async function release(scenario: Scenario, ordinal: number): Promise<void> {
  await scenario.patch('merge', claim(ordinal), { metadata: { finalizers: null } });
}

async function deleteSet(scenario: Scenario): Promise<void> {
  await scenario.delete(webSet);
  await scenario.until<List<unknown>>('pods', ({ items }) => items.length === 0);
  await scenario.until<List<unknown>>('apps/v1/controllerrevisions', ({ items }) => items.length === 0);
}

/** The claims of StatefulSets. */
export const claimCases: readonly ControllerCase[] = [
  testCase(
    'a StatefulSet that is scaled down keeps its claims, and finds them when it is scaled up',
    async (scenario) => {
      await createReadySet(scenario, { replicas: 2, volumeClaimTemplates });
      await observeClaims(scenario);
      await changeSet(scenario, { replicas: 1 });
      await scenario.until('pods/web-1', (_, status) => status === 404);
      await observeClaims(scenario);
      await changeSet(scenario, { replicas: 2 });
      await makeReady(scenario, 'web-1');
      await observeSettled(scenario);
      await observeClaims(scenario);
      await scenario.events('StatefulSet', 'web', ['SuccessfulCreate', 'SuccessfulDelete']);
    },
  ),

  testCase('a re-created StatefulSet finds its claims', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates });
    await observeClaims(scenario);
    await deleteSet(scenario);
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates });
    await observeSettled(scenario);
    await observeClaims(scenario);
  }),

  testCase('a re-created StatefulSet owns the claims that it finds, if its policy says so', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates });
    await deleteSet(scenario);
    await createReadySet(scenario, { replicas: 1, volumeClaimTemplates, ...policy('Retain', 'Delete') });
    await observeClaims(scenario);
  }),

  testCase('no pod is created while its claim is being deleted', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates });
    await keep(scenario, 0);
    await scenario.delete(claim(0));
    await observeSettled(scenario);
    await killPod(scenario, 'web-0');
    await observeSettled(scenario);
    await scenario.events('StatefulSet', 'web', ['FailedCreate']);
    await observeClaims(scenario);
    await release(scenario, 0);
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
    await observeClaims(scenario);
  }),

  testCase('with Parallel a claim that is being deleted holds back the pods of later batches', async (scenario) => {
    const parallel = { podManagementPolicy: 'Parallel', volumeClaimTemplates };
    await createReadySet(scenario, { replicas: 2, ...parallel });
    await keep(scenario, 1);
    await scenario.delete(claim(1));
    await killPod(scenario, 'web-1');
    await observeSettled(scenario);
    await changeSet(scenario, { replicas: 5 });
    await observeSettled(scenario);
    await release(scenario, 1);
    await makeReady(scenario, 'web-1', 'web-2', 'web-3', 'web-4');
    await observeSettled(scenario);
  }),

  testCase('a pending pod gets its missing claim', async (scenario) => {
    await createSet(scenario, { replicas: 1, volumeClaimTemplates });
    await observeSettled(scenario);
    await observeClaims(scenario);
    await scenario.delete(claim(0));
    await release(scenario, 0);
    await scenario.until(claim(0), (_, status) => status === 404);
    await touchPod(scenario, 'web-0');
    await observeClaims(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate']);
  }),

  testCase('a running pod does not get its missing claim', async (scenario) => {
    await createReadySet(scenario, { replicas: 1, volumeClaimTemplates });
    await scenario.delete(claim(0));
    await release(scenario, 0);
    await scenario.until(claim(0), (_, status) => status === 404);
    await touchPod(scenario, 'web-0');
    await observeClaims(scenario);
    await killPod(scenario, 'web-0');
    await observeSettled(scenario);
    await observeClaims(scenario);
  }),

  testCase('whenDeleted Delete: claims are deleted with the StatefulSet', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates, ...policy('Retain', 'Delete') });
    await changeSet(scenario, { replicas: 1 });
    await scenario.until('pods/web-1', (_, status) => status === 404);
    await observeClaims(scenario);
    await deleteSet(scenario);
    await scenario.observe<List<unknown>>(
      'persistentvolumeclaims',
      ({ items }) => items.length === 0,
      ({ items }) => items.length,
    );
  }),

  testCase('whenScaled Delete: claims are deleted with the pods that are scaled down', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates, ...policy('Delete', 'Retain') });
    await observeClaims(scenario);
    await keep(scenario, 1);
    await changeSet(scenario, { replicas: 1 });
    await scenario.until('pods/web-1', (_, status) => status === 404);
    await observeClaims(scenario);
    await release(scenario, 1);
    await scenario.until(claim(1), (_, status) => status === 404);
    await changeSet(scenario, { replicas: 2 });
    await makeReady(scenario, 'web-1');
    await observeClaims(scenario);
    await deleteSet(scenario);
    await scenario.observe<List<unknown>>('persistentvolumeclaims', undefined, ({ items }) => items.length);
  }),

  testCase('whenScaled Delete: no pod is created while its claim belongs to an earlier pod', async (scenario) => {
    await createReadySet(scenario, { replicas: 2, volumeClaimTemplates, ...policy('Delete', 'Delete') });
    await keep(scenario, 1);
    await changeSet(scenario, { replicas: 1 });
    await scenario.until('pods/web-1', (_, status) => status === 404);
    await changeSet(scenario, { replicas: 2 });
    await observeSettled(scenario);
    await observeClaims(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulDelete']);
    await release(scenario, 1);
    await scenario.until(claim(1), (_, status) => status === 404);
    await observeSettled(scenario);
    await touchPod(scenario, 'web-0');
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await observeClaims(scenario);
  }),

  testCase('a changed retention policy reaches the claims of existing pods', async (scenario) => {
    await createReadySet(scenario, { replicas: 3, volumeClaimTemplates });
    await changeSet(scenario, { replicas: 2 });
    await scenario.until('pods/web-2', (_, status) => status === 404);
    await changeSet(scenario, policy('Delete', 'Delete'));
    await observeClaims(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulUpdate']);
    await changeSet(scenario, policy('Delete', 'Retain'));
    await observeClaims(scenario);
    await changeSet(scenario, policy('Retain', 'Delete'));
    await observeClaims(scenario);
    await changeSet(scenario, policy('Retain', 'Retain'));
    await observeClaims(scenario);
  }),

  testCase('a changed retention policy reaches the claims of pending pods', async (scenario) => {
    await createSet(scenario, { replicas: 1, volumeClaimTemplates });
    await observeClaims(scenario);
    await changeSet(scenario, policy('Retain', 'Delete'));
    await observeClaims(scenario);
    await changeSet(scenario, policy('Retain', 'Retain'));
    await observeClaims(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate']);
  }),

  testCase('a claim that another controls is left to it, and an Event reports it', async (scenario) => {
    await createReadySet(scenario, { replicas: 1, volumeClaimTemplates, ...policy('Retain', 'Delete') });
    const { metadata } = await scenario.post('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owner' },
    });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid, controller: true };
    await scenario.patch('merge', claim(0), { metadata: { ownerReferences: [owner] } });
    await touchPod(scenario, 'web-0');
    await observeClaims(scenario);
    await killPod(scenario, 'web-0');
    await scenario.events('StatefulSet', 'web', ['ConflictingController']);
    await observeClaims(scenario);
  }),
];
