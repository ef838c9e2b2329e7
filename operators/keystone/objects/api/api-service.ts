// SPDX-License-Identifier: Apache-2.0
import type { PodDisruptionBudget, Service } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { apiPort, commonLabels, namesOf, selectorLabels } from '../../api/names.ts';
import type { Replicas } from '../replicas.ts';

/** The Service in front of the API pods. */
export function apiService(keystone: Keystone): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      selector: selectorLabels(keystone),
      ports: [{ name: 'keystone', port: apiPort, targetPort: apiPort, protocol: 'TCP' }],
    },
  };
}

/** Keeps one pod through drains; a single replica may go, or no node could ever be drained. */
export function apiDisruptionBudget(keystone: Keystone, { least }: Pick<Replicas, 'least'>): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      selector: { matchLabels: selectorLabels(keystone) },
      ...(least > 1 ? { minAvailable: 1 } : { maxUnavailable: 1 }),
    },
  };
}
