// SPDX-License-Identifier: Apache-2.0

/** Where things are inside the node's network; it is closed, so the numbers are the same on every machine. */
export const addresses = {
  node: '10.244.0.1',
  podPrefix: 16,
  /** Every address of this range is the node's own, so that a Service address can be served as soon as it exists. */
  services: '10.96.0.0/16',
  dns: '10.96.0.10',
  apiServerPort: 6443,
  kubeletPort: 10250,
} as const;
