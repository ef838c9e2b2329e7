// SPDX-License-Identifier: Apache-2.0
import type { Deployment, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { deployment } from '../../objects/objects.ts';

/** A replica set of one container. */
function replicaSet(name: string, spec: object = {}) {
  return { ...deployment(name, { ...spec }), kind: 'ReplicaSet' };
}

/** A stateful set of one container. */
function statefulSet(name: string, spec: object = {}) {
  return { ...deployment(name, { serviceName: name, ...spec }), kind: 'StatefulSet' };
}

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** Selectors and templates that are invalid for every workload. */
const invalidSpecs: readonly object[] = [
  { selector: undefined },
  { selector: {} },
  { selector: { matchLabels: { app: 'other' } } },
  { selector: { matchLabels: { 'not a key': 'not a value' } } },
  {
    selector: {
      matchExpressions: [
        { key: 'app', operator: 'In' },
        { key: 'app', operator: 'Like' },
        { key: 'app', operator: 'Exists', values: ['a'] },
      ],
    },
  },
  { template: undefined },
  { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [], restartPolicy: 'Never' } } },
  {
    template: {
      metadata: { labels: { app: 'web', 'not a key': 'not a value' } },
      spec: { activeDeadlineSeconds: 1, containers: [{ name: 'main' }] },
    },
  },
  { replicas: -1, minReadySeconds: -1 },
];

/** A spec with a claim, whose container mounts these volumes. */
function mounting(...names: string[]) {
  const volumeMounts = names.map((name) => ({ name, mountPath: `/${name}` }));
  const spec = { containers: [{ name: 'main', image: 'nginx', volumeMounts }], volumes: [{ name: 'scratch' }] };
  return { volumeClaimTemplates: [claim], template: { metadata: { labels: { app: 'web' } }, spec } };
}

/** Deployments, replica sets and stateful sets. */
export const workloads: readonly ConformanceCase[] = [
  testCase('a replica set is created with its defaults', async (api) => {
    await api.post('apps/v1/replicasets', replicaSet('web'));
  }),

  testCase('a stateful set is created with its defaults', async (api) => {
    await api.post('apps/v1/statefulsets', statefulSet('web', { volumeClaimTemplates: [claim] }));
    await api.post('apps/v1/statefulsets', statefulSet('on-delete', { updateStrategy: { type: 'OnDelete' } }));
  }),

  testCase('the pods of a stateful set mount the volumes of its claims', async (api) => {
    await api.post('apps/v1/statefulsets', statefulSet('web', mounting('data', 'scratch')));
    await api.post('apps/v1/statefulsets', statefulSet('two', mounting('data', 'missing')));
  }),

  testCase('a deployment that recreates its pods has no rolling update', async (api) => {
    await api.post('apps/v1/deployments', deployment('web', { strategy: { type: 'Recreate' } }));
    await api.post('apps/v1/deployments', deployment('two', { strategy: { rollingUpdate: { maxSurge: 1 } } }));
  }),

  testCase('a deployment selects the pods of its template', async (api) => {
    for (const spec of invalidSpecs) await api.post('apps/v1/deployments', deployment('web', { ...spec }));
    await api.post('apps/v1/deployments', { ...deployment('web'), spec: undefined });
  }),

  testCase('a replica set selects the pods of its template', async (api) => {
    for (const spec of invalidSpecs) await api.post('apps/v1/replicasets', replicaSet('web', spec));
  }),

  testCase('a stateful set selects the pods of its template', async (api) => {
    for (const spec of invalidSpecs) await api.post('apps/v1/statefulsets', statefulSet('web', spec));
  }),

  testCase('how a deployment rolls out is checked', async (api) => {
    for (const spec of [
      { strategy: { type: 'Both' } },
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      { strategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: '120%' } } },
      { strategy: { rollingUpdate: { maxSurge: 'some', maxUnavailable: -1 } } },
      { progressDeadlineSeconds: 10, minReadySeconds: 10 },
      { progressDeadlineSeconds: -1, revisionHistoryLimit: -1 },
    ]) {
      await api.post('apps/v1/deployments', deployment('web', spec));
    }
  }),

  testCase('how a stateful set rolls out is checked', async (api) => {
    for (const spec of [
      { updateStrategy: { type: 'Both' } },
      { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } },
      { updateStrategy: { rollingUpdate: { partition: -1 } } },
      { podManagementPolicy: 'Later' },
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep' } },
      { ordinals: { start: -1 } },
      { serviceName: 'No_Name' },
      { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
    ]) {
      await api.post('apps/v1/statefulsets', statefulSet('web', spec));
    }
  }),

  testCase('the selector of a deployment may not change', async (api) => {
    await api.post('apps/v1/deployments', deployment('web'));
    const selector = { matchLabels: { app: 'other' } };
    const template = { metadata: { labels: { app: 'other' } }, spec: deployment('web').spec.template.spec };
    await api.put('apps/v1/deployments/web', deployment('web', { selector, template }));
    await api.put('apps/v1/deployments/web', deployment('web', { selector }));
  }),

  testCase('the selector of a replica set may not change', async (api) => {
    await api.post('apps/v1/replicasets', replicaSet('web'));
    const selector = { matchLabels: { app: 'other' } };
    const template = { metadata: { labels: { app: 'other' } }, spec: deployment('web').spec.template.spec };
    await api.put('apps/v1/replicasets/web', replicaSet('web', { selector, template }));
    await api.put('apps/v1/replicasets/web', replicaSet('web', { replicas: 3, minReadySeconds: 5 }));
  }),

  testCase('a stateful set keeps what its pods and claims stand on', async (api) => {
    const created = await api.post<StatefulSet>('apps/v1/statefulsets', statefulSet('web'));
    for (const spec of [
      { serviceName: 'other' },
      { podManagementPolicy: 'Parallel' },
      { volumeClaimTemplates: [claim] },
      { selector: { matchLabels: { app: 'web', tier: 'front' } } },
      { replicas: 3, minReadySeconds: 5, revisionHistoryLimit: 2, updateStrategy: { type: 'OnDelete' } },
    ]) {
      await api.put('apps/v1/statefulsets/web', { ...created, spec: { ...created.spec, ...spec } });
    }
  }),

  testCase('the counts of a status are checked', async (api) => {
    const created = await api.post<Deployment>('apps/v1/deployments', deployment('web'));
    await api.put('apps/v1/deployments/web/status', { ...created, status: { replicas: -1, observedGeneration: -1 } });
    await api.put('apps/v1/deployments/web/status', {
      ...created,
      status: { replicas: 1, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 4 },
    });
  }),

  testCase('the scale of a workload is read and written', async (api) => {
    await api.post('apps/v1/statefulsets', statefulSet('web'));
    const scale = await api.get<Deployment>('apps/v1/statefulsets/web/scale');
    await api.put('apps/v1/statefulsets/web/scale', { ...scale, spec: { replicas: 3 } });
    await api.put('apps/v1/statefulsets/web/scale', { ...scale, spec: { replicas: 4 } });
    await api.patch('merge', 'apps/v1/statefulsets/web/scale', { spec: { replicas: 5 } });
    await api.patch('merge', 'apps/v1/statefulsets/web/scale', { spec: { replicas: -1 } });
    await api.get('apps/v1/statefulsets/web');
    await api.patch('merge', 'apps/v1/statefulsets/web/scale', { spec: { replicas: 0 } });
    await api.get('apps/v1/statefulsets/web');
  }),
];
