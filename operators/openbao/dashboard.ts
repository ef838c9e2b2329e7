// SPDX-License-Identifier: Apache-2.0
import { grafanaDashboard, stepPanels } from '@forge/runtime/manifests/grafana-dashboard.ts';
import { metricPrefix } from './api/names.ts';

/** The Grafana dashboard of the operator. */
export const openbaoDashboard = grafanaDashboard({
  title: 'OpenBao Operator',
  uid: 'openbao-operator',
  panels: stepPanels(metricPrefix),
});
