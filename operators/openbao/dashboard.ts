// SPDX-License-Identifier: Apache-2.0
import { grafanaDashboard, stepPanels } from '@forge/runtime/manifests/grafana-dashboard.ts';
import { stepMetricPrefix } from './api/names.ts';
import { clusterPhase, readyReplicas } from './conditions/summary.ts';
import { certificateExpiry, certificateRotations } from './conditions/tls.ts';

/** The Grafana dashboard of the operator. */
export const openbaoDashboard = grafanaDashboard({
  title: 'OpenBao Operator',
  uid: 'openbao-operator',
  panels: [
    ...stepPanels(stepMetricPrefix),
    {
      title: 'Ready pods',
      unit: 'short',
      queries: [{ expr: `max by (namespace, name) (${readyReplicas.name})`, legend: '{{namespace}}/{{name}}' }],
    },
    {
      title: 'Clusters by phase',
      unit: 'short',
      queries: [{ expr: `sum by (phase) (${clusterPhase.name})`, legend: '{{phase}}' }],
    },
    {
      title: 'Server certificate: time left, and renewals',
      unit: 's',
      queries: [
        { expr: `min by (namespace, name) (${certificateExpiry.name}) - time()`, legend: '{{namespace}}/{{name}}' },
        {
          expr: `sum by (namespace, name) (increase(${certificateRotations.name}[1d]))`,
          legend: '{{namespace}}/{{name}} renewed in a day',
        },
      ],
    },
  ],
});
