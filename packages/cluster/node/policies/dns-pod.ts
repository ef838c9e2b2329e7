// SPDX-License-Identifier: Apache-2.0
import { addresses } from '../network/addresses.ts';
import type { NetworkPod } from './allowed-traffic.ts';

/** Represents cluster DNS, which the node itself serves, as a pod: most policies select it by namespace and label. */
export const dnsPod: NetworkPod = {
  metadata: { name: 'kube-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  spec: {
    containers: [
      {
        name: 'dns',
        ports: [
          { name: 'dns', containerPort: 53, protocol: 'UDP' },
          { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
        ],
      },
    ],
  },
  address: addresses.dns,
};
