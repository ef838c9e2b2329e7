// SPDX-License-Identifier: Apache-2.0
import type { MetricSpec } from '@forge/kube/generated/types.ts';
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, namesOf } from '../api/names.ts';

type Autoscaling = NonNullable<Keystone['spec']['autoscaling']>;

/** The autoscaler of the API pods. */
export function apiAutoscaler(keystone: Keystone, autoscaling: Autoscaling): HorizontalPodAutoscaler {
  const { minReplicas = keystone.spec.replicas, maxReplicas } = autoscaling;
  const name = namesOf(keystone).api;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: commonLabels(keystone) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas,
      maxReplicas,
      metrics: [
        ...utilization('cpu', autoscaling.targetCPUUtilization),
        ...utilization('memory', autoscaling.targetMemoryUtilization),
      ],
    },
  };
}

function utilization(name: string, averageUtilization: number | undefined): MetricSpec[] {
  if (averageUtilization === undefined) return [];
  return [{ type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization } } }];
}
