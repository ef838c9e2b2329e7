// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { defaults, unset } from './defaults.ts';

const all = { type: 'Percent', value: 100, periodSeconds: 15 };

/** Defaults of autoscalers: 80% CPU, immediate scale-up, and slow scale-down. */
export const defaultAutoscaler = defaults<HorizontalPodAutoscaler>(
  {},
  {
    spec: defaults(
      {
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
      },
      {
        behavior: defaults(
          { scaleUp: {}, scaleDown: {} },
          {
            scaleUp: defaults({
              stabilizationWindowSeconds: 0,
              selectPolicy: 'Max',
              policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, all],
            }),
            scaleDown: defaults({ selectPolicy: 'Max', policies: [all] }),
          },
        ),
      },
    ),
  },
);

export const fillAutoscaler = defaults<HorizontalPodAutoscaler>(
  {},
  { status: defaults({ desiredReplicas: 0, currentMetrics: unset }) },
);
