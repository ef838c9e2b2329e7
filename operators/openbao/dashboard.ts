// SPDX-License-Identifier: Apache-2.0
import { grafanaDashboard, stepPanels } from '@forge/runtime/manifests/grafana-dashboard.ts';
import { stepMetricPrefix } from './api/names.ts';
import { backupMetrics } from './conditions/backup-metrics.ts';
import { clusterPhase, readyReplicas } from './conditions/summary.ts';
import { certificateExpiry, certificateRotations } from './conditions/tls.ts';
import { upgradeMetrics } from './conditions/upgrade-metrics.ts';

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
      title: 'Upgrades: status, pods done, leaders asked to step down in a day',
      unit: 'short',
      queries: [
        { expr: `max by (namespace, name) (${upgradeMetrics.status.name})`, legend: '{{namespace}}/{{name}} status' },
        {
          expr: `max by (namespace, name) (${upgradeMetrics.podsCompleted.name})`,
          legend: '{{namespace}}/{{name}} pods done',
        },
        {
          expr: `sum by (namespace, name) (increase(${upgradeMetrics.stepDowns.name}[1d]))`,
          legend: '{{namespace}}/{{name}} step-downs',
        },
      ],
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
    {
      title: 'Time since the last snapshot',
      unit: 's',
      queries: [
        {
          expr: `time() - max by (namespace, name) (${backupMetrics.lastSuccess.name})`,
          legend: '{{namespace}}/{{name}}',
        },
        {
          expr: `max by (namespace, name) (${backupMetrics.lastDuration.name})`,
          legend: '{{namespace}}/{{name}} took',
        },
      ],
    },
    {
      title: 'Size of the last snapshot',
      unit: 'bytes',
      queries: [
        { expr: `max by (namespace, name) (${backupMetrics.lastSize.name})`, legend: '{{namespace}}/{{name}}' },
      ],
    },
    {
      title: 'Snapshots in a day: stored, failed, deleted',
      unit: 'short',
      queries: [
        {
          expr: `sum by (namespace, name) (increase(${backupMetrics.successes.name}[1d]))`,
          legend: '{{namespace}}/{{name}} stored',
        },
        {
          expr: `sum by (namespace, name) (increase(${backupMetrics.failures.name}[1d]))`,
          legend: '{{namespace}}/{{name}} failed',
        },
        {
          expr: `sum by (namespace, name) (increase(${backupMetrics.deleted.name}[1d]))`,
          legend: '{{namespace}}/{{name}} deleted by retention',
        },
      ],
    },
    {
      title: 'Snapshots: failures since the last success, and under way',
      unit: 'short',
      queries: [
        {
          expr: `max by (namespace, name) (${backupMetrics.consecutiveFailures.name})`,
          legend: '{{namespace}}/{{name}} failures',
        },
        {
          expr: `max by (namespace, name) (${backupMetrics.inProgress.name})`,
          legend: '{{namespace}}/{{name}} under way',
        },
      ],
    },
  ],
});
