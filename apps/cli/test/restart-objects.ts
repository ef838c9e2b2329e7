// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { Deployment, Job, PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';

/** The program of pods that only run; its argument identifies their processes. */
export const sleepOf = (index: number) => `sleep 86400.${index}`;

const namespace = 'default';
const claim = 'runs';

/** Appends a line to a file on every start. */
const count = (file: string, then: string): Pick<Container, 'name' | 'image' | 'command'> => ({
  name: 'main',
  image: 'forge/shell',
  command: ['sh', '-c', `echo started >> ${file}; ${then}`],
});

const onClaim = { volumeMounts: [{ name: 'claim', mountPath: '/claim' }] };
const claimVolume = { name: 'claim', persistentVolumeClaim: { claimName: claim } };
const quick = { terminationGracePeriodSeconds: 2 };

/** Counts its starts, and mounts the claim. */
const counter: PodSpec = {
  ...quick,
  containers: [{ ...count('/claim/counter', `exec ${sleepOf(1)}`), ...onClaim }],
  volumes: [claimVolume],
};

/** Completes at once. */
const completed: PodSpec = {
  restartPolicy: 'Never',
  containers: [{ ...count('/claim/completed', 'exit 0'), ...onClaim }],
  volumes: [claimVolume],
};

/** Its deletion takes as long as its grace period. */
const stubborn: PodSpec = {
  terminationGracePeriodSeconds: 60,
  containers: [count('/dev/null', `trap '' TERM; ${sleepOf(3)} & wait; wait`)],
};

const labels = { app: 'web' };

/** Pods with every kind of life cycle, for a cluster that is stopped and started. */
export const restartObjects: readonly (Pod | Job | Deployment | PersistentVolumeClaim)[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name: claim },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Mi' } } },
  },
  { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'counter' }, spec: counter },
  { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'completed' }, spec: completed },
  { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'stubborn' }, spec: stubborn },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, name: 'job' },
    spec: {
      template: { spec: { ...completed, containers: [{ ...count('/claim/job', 'exit 0'), ...onClaim }] } },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { ...quick, containers: [count('/dev/null', `exec ${sleepOf(2)}`)] },
      },
    },
  },
];
