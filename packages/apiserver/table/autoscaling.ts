// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const autoscalerColumns: readonly TableColumn<HorizontalPodAutoscaler>[] = [
  nameColumn,
  column('Reference', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`),
  column('Targets', ({ spec, status }) => {
    const targets = (spec.metrics ?? []).map(({ resource }, index) => {
      const { averageUtilization } = status?.currentMetrics?.[index]?.resource?.current ?? {};
      const current = averageUtilization === undefined ? '<unknown>' : `${averageUtilization}%`;
      return `${resource?.name ?? 'metric'}: ${current}/${resource?.target.averageUtilization ?? '<auto>'}%`;
    });
    return targets.length === 0 ? '<none>' : targets.join(', ');
  }),
  column('MinPods', ({ spec }) => String(spec.minReplicas ?? '<unset>')),
  column('MaxPods', ({ spec }) => spec.maxReplicas),
  column('Replicas', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn,
];
