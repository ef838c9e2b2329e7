// SPDX-License-Identifier: Apache-2.0
import { grafanaDashboard, percentile95, stepPanels } from '@forge/runtime/manifests/grafana-dashboard.ts';
import { databaseJobDuration, databaseJobs } from './conditions/database-metrics.ts';
import { keyRotationAge } from './conditions/key-metrics.ts';

/** The Grafana dashboard of the operator. */
export const keystoneDashboard = grafanaDashboard({
  title: 'Keystone Operator',
  uid: 'keystone-operator',
  panels: [
    ...stepPanels('keystone_operator'),
    {
      title: 'Age of keys',
      unit: 's',
      queries: [
        {
          expr: `max by (namespace, keystone, key_type) (${keyRotationAge.name})`,
          legend: '{{namespace}}/{{keystone}} {{key_type}}',
        },
      ],
    },
    {
      title: 'Jobs on the database: duration, 95th percentile, and failures',
      unit: 's',
      queries: [
        { expr: percentile95('namespace, keystone', databaseJobDuration.name), legend: '{{namespace}}/{{keystone}}' },
        {
          expr: `sum by (namespace, keystone) (rate(${databaseJobs.name}{result="failed"}[5m]))`,
          legend: '{{namespace}}/{{keystone}} failed per second',
        },
      ],
    },
  ],
});
