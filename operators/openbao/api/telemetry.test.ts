// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { telemetryAttribute, telemetryFields } from './telemetry.ts';

test('every setting has the name that the server knows: it would only warn of another one', () => {
  const attributes = Object.entries(telemetryFields).map(([name, field]) => telemetryAttribute(name, field));
  assert.deepEqual(attributes, [
    'usage_gauge_period',
    'maximum_gauge_cardinality',
    'disable_hostname',
    'enable_hostname_label',
    'metrics_prefix',
    'lease_metrics_epsilon',
    'num_lease_metrics_buckets',
    'add_lease_metrics_namespace_labels',
    'filter_default',
    'prefix_filter',
    'prometheus_retention_time',
    'statsite_address',
    'statsd_address',
    'dogstatsd_addr',
    'dogstatsd_tags',
    'circonus_api_token',
    'circonus_api_app',
    'circonus_api_url',
    'circonus_submission_interval',
    'circonus_submission_url',
    'circonus_check_id',
    'circonus_check_force_metric_activation',
    'circonus_check_instance_id',
    'circonus_check_search_tag',
    'circonus_check_display_name',
    'circonus_check_tags',
    'circonus_broker_id',
    'circonus_broker_select_tag',
    'stackdriver_project_id',
    'stackdriver_location',
    'stackdriver_namespace',
    'stackdriver_debug_logs',
  ]);
});
