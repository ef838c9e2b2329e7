// SPDX-License-Identifier: Apache-2.0
import type { DeploymentStrategy } from '@forge/kube/generated/types.ts';
import type { Keystone } from '../api/keystone.ts';

/** One pod more and none less than wanted. */
const defaultStrategy: DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
};

/**
 * How the API pods are replaced, with the defaults of Kubernetes written out: a default that the server sets has no field
 * manager, so it would stay when the type changes, and Recreate would be refused.
 */
export function strategyOf({ spec }: Keystone): DeploymentStrategy {
  if (spec.strategy === undefined) return defaultStrategy;
  const { type = 'RollingUpdate', rollingUpdate } = spec.strategy;
  if (type === 'Recreate') return { type };
  return { type, rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', ...rollingUpdate } };
}
