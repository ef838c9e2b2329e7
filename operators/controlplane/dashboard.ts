// SPDX-License-Identifier: Apache-2.0
import { grafanaDashboard, stepPanels } from '@forge/runtime/manifests/grafana-dashboard.ts';
import { metricPrefix } from './api/names.ts';

/** The Grafana dashboard of the operator. */
export const controlPlaneDashboard = grafanaDashboard({
  title: 'ControlPlane Operator',
  uid: 'c5c3-operator',
  panels: stepPanels(metricPrefix),
});
