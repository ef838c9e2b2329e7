// SPDX-License-Identifier: Apache-2.0
import type { ControllerRevision, Pod, PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { volumeClaimTemplates } from '../../../manifests.ts';
import { testCase, type ControllerCase, type List } from '../../controller-case.ts';
import { createPod, finishPod } from '../../kubelet.ts';
import {
  changeSet,
  createReadySet,
  createSet,
  killPod,
  labels,
  makeReady,
  observeRevisions,
  observeSettled,
  setReady,
  template,
  webSet,
} from './web-set.ts';

const slow = template('v1', { terminationGracePeriodSeconds: 30 });

function withoutHash(all: Record<string, string> = {}): object {
  return Object.fromEntries(Object.entries(all).filter(([label]) => label !== 'controller-revision-hash'));
}

/** StatefulSets: their pods, in which order they come and go, and what the status counts. */
export const statefulSetCases: readonly ControllerCase[] = [
  testCase('the pods of a StatefulSet are created one by one, each when the one before is ready', async (scenario) => {
    await createSet(scenario);
    for (const name of ['web-0', 'web-1', 'web-2']) {
      await observeSettled(scenario);
      await makeReady(scenario, name);
    }
    await observeSettled(scenario);
    await observeRevisions(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate']);
  }),

  testCase('with Parallel all pods are created and deleted at once', async (scenario) => {
    await createSet(scenario, { podManagementPolicy: 'Parallel' });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-1');
    await changeSet(scenario, { replicas: 1 });
    await observeSettled(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate', 'SuccessfulDelete']);
  }),

  testCase('a pod of a StatefulSet has a name, labels, a host name and volumes by its ordinal', async (scenario) => {
    const volumes = [
      { name: 'data', emptyDir: {} },
      { name: 'more', emptyDir: {} },
    ];
    await createSet(
      scenario,
      { replicas: 1, ordinals: { start: 7 }, volumeClaimTemplates, template: template('v1', { volumes }) },
      { annotations: { 'example.com/team': 'a' } },
    );
    await observeSettled(scenario);
    await scenario.observe<Pod>('pods/web-7', undefined, ({ metadata, spec }) => ({
      prefix: metadata.generateName,
      labels: withoutHash(metadata.labels),
      annotations: metadata.annotations,
      owners: metadata.ownerReferences,
      hostname: spec?.hostname,
      subdomain: spec?.subdomain,
      volumes: spec?.volumes,
    }));
    await scenario.observe<PersistentVolumeClaim>(
      'persistentvolumeclaims/data-web-7',
      undefined,
      ({ metadata, spec }) => ({
        metadata,
        spec,
      }),
    );
    await scenario.observe<List<ControllerRevision>>('apps/v1/controllerrevisions', undefined, ({ items }) =>
      items.map(({ metadata, data, revision: number }) => ({
        isNamedByHash: metadata.name === `web-${metadata.labels?.['controller.kubernetes.io/hash']}`,
        labels: Object.keys(metadata.labels ?? {}).toSorted(),
        annotations: metadata.annotations,
        data,
        number,
      })),
    );
  }),

  testCase(
    'a StatefulSet whose ordinals start elsewhere creates the new pods, then deletes the old ones',
    async (scenario) => {
      await createReadySet(scenario, { replicas: 2, ordinals: { start: 3 } });
      await observeSettled(scenario);
      await changeSet(scenario, { ordinals: { start: 1 } });
      await observeSettled(scenario);
      await makeReady(scenario, 'web-1');
      await observeSettled(scenario);
      await makeReady(scenario, 'web-2');
      await observeSettled(scenario);
    },
  ),

  testCase(
    'a StatefulSet is scaled down from the highest pod, each when the one after it is gone',
    async (scenario) => {
      await createReadySet(scenario, { template: slow });
      await changeSet(scenario, { replicas: 1 });
      for (const name of ['web-2', 'web-1']) {
        await observeSettled(scenario);
        await killPod(scenario, name);
      }
      await observeSettled(scenario);
    },
  ),

  testCase('a StatefulSet is not scaled down while a pod that stays is not ready', async (scenario) => {
    await createReadySet(scenario);
    await setReady(scenario, 'web-0', false);
    await changeSet(scenario, { replicas: 1 });
    await observeSettled(scenario);
    await setReady(scenario, 'web-0', true);
    await observeSettled(scenario);
  }),

  testCase('of the pods to scale down, one that is not ready waits for those before it', async (scenario) => {
    await createReadySet(scenario);
    await setReady(scenario, 'web-2', false);
    await setReady(scenario, 'web-1', false);
    await changeSet(scenario, { replicas: 1 });
    await observeSettled(scenario);
    await setReady(scenario, 'web-1', true);
    await observeSettled(scenario);
  }),

  testCase('a pod is available, and the next one created, after minReadySeconds', async (scenario) => {
    await createSet(scenario, { replicas: 2, minReadySeconds: 20 });
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await changeSet(scenario, { minReadySeconds: 0 });
    await observeSettled(scenario);
  }),

  testCase('a pod of a StatefulSet that failed or succeeded is deleted and created again', async (scenario) => {
    await createReadySet(scenario, { replicas: 2 });
    await finishPod(scenario, 'web-0', 1);
    await makeReady(scenario, 'web-0');
    await finishPod(scenario, 'web-1', 0);
    await observeSettled(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate', 'SuccessfulDelete']);
  }),

  testCase(
    'a terminating pod of a StatefulSet counts while it is ready, and is created again when it is gone',
    async (scenario) => {
      await createReadySet(scenario, { template: slow });
      await scenario.delete('pods/web-1');
      await observeSettled(scenario);
      await killPod(scenario, 'web-1');
      await observeSettled(scenario);
      await makeReady(scenario, 'web-1');
      await observeSettled(scenario);
    },
  ),

  testCase('a StatefulSet adopts selected pods with its name and an ordinal, and no others', async (scenario) => {
    for (const name of ['web-0', 'web-x', 'other-1', 'web-4']) await createPod(scenario, name, labels);
    await createPod(scenario, 'web-3', { app: 'other' });
    await createSet(scenario, { replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await observeSettled(scenario);
    await makeReady(scenario, 'web-0', 'web-1');
    await observeSettled(scenario);
    await scenario.observe<Pod>('pods/web-0', undefined, ({ metadata }) => metadata.labels);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate', 'SuccessfulUpdate', 'SuccessfulDelete']);
  }),

  testCase('a pod that a StatefulSet no longer selects is released, and its name stays taken', async (scenario) => {
    await createReadySet(scenario, { replicas: 2 });
    await scenario.patch('merge', 'pods/web-1', { metadata: { labels: { app: 'other' } } });
    await observeSettled(scenario);
    await killPod(scenario, 'web-1');
    await makeReady(scenario, 'web-1');
    await observeSettled(scenario);
    await scenario.events('StatefulSet', 'web', ['SuccessfulCreate']);
  }),

  testCase('a re-created StatefulSet adopts the pods and revisions that were orphaned', async (scenario) => {
    await createReadySet(scenario, { replicas: 2 });
    await scenario.delete(webSet, { propagationPolicy: 'Orphan' });
    await scenario.until(webSet, (_, status) => status === 404);
    await createSet(scenario, { replicas: 2 });
    await observeSettled(scenario);
    await observeRevisions(scenario);
  }),

  testCase('a refused pod of a StatefulSet is tried again, and an Event reports it', async (scenario) => {
    await createSet(scenario, { replicas: 1, template: template('v1', { serviceAccountName: 'missing' }) });
    await scenario.events('StatefulSet', 'web', ['FailedCreate']);
    await observeSettled(scenario);
    await scenario.post('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'missing' } });
    await makeReady(scenario, 'web-0');
    await observeSettled(scenario);
  }),

  testCase(
    'a StatefulSet that is being deleted creates no pods, and still counts those that it has',
    async (scenario) => {
      await createReadySet(scenario, { replicas: 2 });
      await scenario.patch('merge', webSet, { metadata: { finalizers: ['example.com/keep'] } });
      await scenario.delete(webSet, { propagationPolicy: 'Background' });
      await killPod(scenario, 'web-1');
      await observeSettled(scenario);
    },
  ),

  testCase('a deleted StatefulSet takes its pods and revisions along', async (scenario) => {
    await createReadySet(scenario, { replicas: 2 });
    await scenario.delete(webSet);
    await scenario.observe(
      webSet,
      (_, status) => status === 404,
      () => 'gone',
    );
    for (const path of ['pods', 'apps/v1/controllerrevisions']) {
      await scenario.observe<List<unknown>>(
        path,
        ({ items }) => items.length === 0,
        ({ items }) => items.length,
      );
    }
  }),
];
