// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** A memcached pod, with an argument that no other process on the machine has. */
export const memcached: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'cache', namespace: 'default', labels: { app: 'cache' } },
  spec: {
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: 'memcached',
        image: 'memcached:1.6',
        command: ['memcached', '-p', '11299', '-v'],
        env: [{ name: 'PASSWORD', value: 'not-for-everybody' }],
        readinessProbe: { tcpSocket: { port: 11_299 } },
      },
    ],
  },
};
