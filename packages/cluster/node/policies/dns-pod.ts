// SPDX-License-Identifier: Apache-2.0
import { addresses } from '../network/addresses.ts';
import type { NetworkPod } from './allowed-traffic.ts';

/** Cluster DNS, which the node itself serves, as the pod that policies expect: most name its namespace and its label. */
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
