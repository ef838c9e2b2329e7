// SPDX-License-Identifier: Apache-2.0
import type { CronJob, Deployment, Service } from '@forge/kube/kinds/builtin.ts';

const image = 'memcached:1.6';
const labels = { app: 'cache' };

/** The variable by which the process of a pod is found. */
export const podNameVariable = 'POD_NAME';

/** Three memcached pods behind a Service; a new `round` gives a new revision. */
export function cache(port: number, round: string): [Deployment, Service] {
  const container = {
    name: 'memcached',
    image,
    args: ['memcached', '-p', String(port)],
    env: [
      { name: 'ROUND', value: round },
      { name: podNameVariable, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
    // memcached exits at once on SIGTERM; the delay is for Services to stop forwarding to it.
    lifecycle: { preStop: { sleep: { seconds: 2 } } },
  };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cache' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 10, containers: [container] } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'cache' },
      spec: { selector: labels, ports: [{ port: 11_211, targetPort: port }] },
    },
  ];
}

/** Runs a command each minute. */
export const everyMinute: CronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'every-minute' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image, command: ['sh', '-c', 'echo ran at $(date -u +%H:%M)'] }],
          },
        },
      },
    },
  },
};
