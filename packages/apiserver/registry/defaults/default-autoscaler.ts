// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { defaults } from './defaults.ts';

const all = { type: 'Percent', value: 100, periodSeconds: 15 };

/** An autoscaler holds the processors four fifths busy; it grows at once and, unless it says otherwise, shrinks slowly. */
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
