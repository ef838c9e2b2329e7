// SPDX-License-Identifier: Apache-2.0
import type { MetricSpec } from '@forge/kube/generated/types.ts';
import { goSelector } from '../../objects/go-selector.ts';

/** Why a metric has no value. */
export interface MissingMetric {
  reason: string;
  /** The message of the condition and of the Event about this metric. */
  message: string;
  /** The message of the Event about all metrics. */
  summary: string;
}

const noResourceMetrics =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
const noCustomMetrics =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
const noExternalMetrics = (name: string): string =>
  `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;

/** The failure to read a metric in a cluster that serves none of the metrics APIs, in the words of Kubernetes. */
export function missingMetric(metric: MetricSpec, namespace: string): MissingMetric {
  const { type, resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) {
    const message = resourceMessage(resource.name, resource.target);
    return failure(
      'FailedGetResourceMetric',
      message,
      `failed to get ${resource.name} resource metric value: ${message}`,
    );
  }
  if (containerResource !== undefined) {
    const { name, container, target } = containerResource;
    const message = resourceMessage(name, target);
    const summary = `failed to get ${container} container metric value: ${message}`;
    return failure('FailedGetContainerResourceMetric', message, summary);
  }
  if (pods !== undefined) {
    const message = `unable to get metric ${pods.metric.name}: ${noCustomMetrics}`;
    return failure('FailedGetPodsMetric', message, `failed to get pods metric value: ${message}`);
  }
  if (object !== undefined) {
    const { kind, name } = object.describedObject;
    // Kubernetes swaps two arguments here.
    const message = `unable to get metric ${object.metric.name}: ${kind} on ${namespace} ${name}/${noCustomMetrics}`;
    const inner = object.target.value === undefined ? `failed to get ${object.metric.name} object metric: ` : '';
    return failure('FailedGetObjectMetric', message, `failed to get object metric value: ${inner}${message}`);
  }
  if (external !== undefined) {
    const { name, selector } = external.metric;
    const message = `unable to get external metric ${namespace}/${name}/${goSelector(selector)}: ${noExternalMetrics(name)}`;
    const isAverage = external.target.averageValue !== undefined;
    const inner = isAverage ? `failed to get ${name} external metric` : `failed to get external metric ${name}`;
    return failure(
      'FailedGetExternalMetric',
      message,
      `failed to get ${name} external metric value: ${inner}: ${message}`,
    );
  }
  const message = `unknown metric source type "${type}"`;
  return failure('InvalidMetricSourceType', message, message);
}

function failure(reason: string, message: string, summary: string): MissingMetric {
  return { reason, message, summary };
}

function resourceMessage(name: string, { averageValue }: { averageValue?: unknown }): string {
  const what = averageValue === undefined ? 'utilization' : 'usage';
  return `failed to get ${name} ${what}: unable to get metrics for resource ${name}: ${noResourceMetrics}`;
}
