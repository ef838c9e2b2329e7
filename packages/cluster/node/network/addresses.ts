// SPDX-License-Identifier: Apache-2.0

/** Addresses in the node's network; it is isolated, so they are the same on every machine. */
export const addresses = {
  node: '10.244.0.1',
  podPrefix: 16,
  /** The Service CIDR; all of it is local to the node, so that a Service address works as soon as it exists. */
  services: '10.96.0.0/16',
  /** The Service default/kubernetes: the first of the CIDR. */
  kubernetes: '10.96.0.1',
  dns: '10.96.0.10',
  apiServerPort: 6443,
  kubeletPort: 10250,
} as const;
