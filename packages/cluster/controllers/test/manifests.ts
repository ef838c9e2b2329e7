// SPDX-License-Identifier: Apache-2.0
import type { DeploymentSpec, JobSpec, StatefulSetSpec } from '@forge/kube/generated/types.ts';
import type { Deployment, Job, PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';

/** A Deployment `web` with three pods of the given image. */
export function web(image: string, spec: Partial<DeploymentSpec> = {}): Deployment {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
      ...spec,
    },
  };
}

/** A Job `work` whose pods are not restarted in place. */
export function work(spec: Partial<JobSpec> = {}, restartPolicy = 'Never'): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default' },
    spec: { template: { spec: { restartPolicy, containers: [{ name: 'main', image: 'work' }] } }, ...spec },
  };
}

/** One claim for each pod of a StatefulSet. */
export const volumeClaimTemplates: PersistentVolumeClaim[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
];

/** A StatefulSet `db` with three pods of the given image. */
export function db(image: string, spec: Partial<StatefulSetSpec> = {}): StatefulSet {
  const labels = { app: 'db' };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
      ...spec,
    },
  };
}
