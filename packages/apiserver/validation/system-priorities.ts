// SPDX-License-Identifier: Apache-2.0

/** The system priority classes. */
export const systemPriorities: Readonly<Record<string, { value: number; description: string }>> = {
  'system-node-critical': {
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  'system-cluster-critical': {
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
};
