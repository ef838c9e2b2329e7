// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicy, PodDisruptionBudget, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateDisruptionBudget,
  validateNetworkPolicy,
  validatePriorityClass,
} from '../../validation/kinds/policy.ts';
import { systemPriorities } from '../../validation/system-priorities.ts';
import { defaults } from '../defaults/defaults.ts';
import { defaultNetworkPolicy } from '../defaults/policy.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const policyStrategies: Readonly<Record<string, Strategy>> = {
  NetworkPolicy: strategy<NetworkPolicy>({
    default: defaultNetworkPolicy,
    validate: validateNetworkPolicy,
    generation: true,
  }),
  PodDisruptionBudget: strategy<PodDisruptionBudget>({
    validate: validateDisruptionBudget,
    requiresVersionOnUpdate: true,
    prepareForCreate: (object) => ({
      ...object,
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    }),
    generation: true,
  }),
  PriorityClass: strategy<PriorityClass>({
    default: defaults({ preemptionPolicy: 'PreemptLowerPriority' }),
    prepareForCreate: (object) => ({ ...object, metadata: { ...object.metadata, generation: 1 } }),
    validate: validatePriorityClass,
    deletionForbidden: ({ metadata }) =>
      Object.hasOwn(systemPriorities, metadata.name)
        ? 'this is a system priority class and cannot be deleted'
        : undefined,
  }),
};
