// SPDX-License-Identifier: Apache-2.0
import type {
  CrossVersionObjectReference,
  MetricSpec,
  MetricTarget,
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscalerSpec,
} from '@forge/kube/generated/types.ts';
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { pathSegmentProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, fields, given, each, validation } from '../rule.ts';
import { requiredText, required, requiredOneOf, oneOf, atLeast } from '../value-rules.ts';

const scaleTarget: Rule<CrossVersionObjectReference> = all<CrossVersionObjectReference>(
  fields({ kind: requiredText(pathSegmentProblem), name: requiredText(pathSegmentProblem) }),
  given(({ kind, apiVersion = '' }, at) => {
    if (apiVersion === '' && kind !== 'ReplicationController') {
      at.invalid(apiVersion, 'apiVersion must specify API group', 'apiVersion');
    }
  }),
);

/** The field of each metric type. */
const sources: Readonly<Record<string, keyof MetricSpec>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

const target: Rule<MetricTarget> = given(({ averageUtilization, averageValue }, at) => {
  if (averageUtilization === undefined && averageValue === undefined) {
    at.required('must set either a target raw value or a target utilization', 'averageUtilization');
  }
});

const metric: Rule<MetricSpec> = given((value, at) => {
  const source = fieldOf(sources, value.type);
  if (source === undefined) {
    // kube-apiserver reports an invalid type twice.
    for (let time = 0; time < 2; time += 1) at.unsupported(value.type, Object.keys(sources), 'type');
  } else if (value[source] === undefined) {
    at.required('must populate information for the given metric source', source);
  } else at.inside('resource', value.resource, fields({ name: required(), target }));
});

const step: Rule<HPAScalingPolicy> = given(({ type, value, periodSeconds }, at) => {
  at.inside('type', type, requiredOneOf('Percent', 'Pods'));
  if (value <= 0) at.invalid(value, 'must be greater than zero', 'value');
  if (periodSeconds <= 0) at.invalid(periodSeconds, 'must be greater than zero', 'periodSeconds');
  if (periodSeconds > 1800) at.invalid(periodSeconds, 'must be less than or equal to 1800', 'periodSeconds');
});

const scaling: Rule<HPAScalingRules> = fields({
  stabilizationWindowSeconds: given((seconds, at) => {
    if (seconds < 0) at.invalid(seconds, 'must be greater than or equal to zero');
  }),
  selectPolicy: oneOf('Disabled', 'Max', 'Min'),
  policies: each(step),
});

/** Scaling to zero needs an object or external metric. */
const fromZero: Rule<HorizontalPodAutoscalerSpec> = given(({ minReplicas, metrics = [] }, at) => {
  if (minReplicas !== 0 || metrics.some(({ type }) => type === 'Object' || type === 'External')) return;
  at.forbidden('must specify at least one Object or External metric to support scaling to zero replicas', 'metrics');
});

const range: Rule<HorizontalPodAutoscalerSpec> = given(({ minReplicas = 1, maxReplicas }, at) => {
  at.inside('minReplicas', minReplicas, atLeast(1));
  if (maxReplicas < 1) at.required('must be set and greater than 0', 'maxReplicas');
  if (maxReplicas < minReplicas) {
    at.invalid(maxReplicas, 'must be greater than or equal to `minReplicas`', 'maxReplicas');
  }
});

/** Validates a HorizontalPodAutoscaler. */
export const validateAutoscaler = validation<HorizontalPodAutoscaler>(
  fields({
    spec: all<HorizontalPodAutoscalerSpec>(
      range,
      fields({
        scaleTargetRef: scaleTarget,
        metrics: each(metric),
        behavior: fields({ scaleUp: scaling, scaleDown: scaling }),
      }),
      fromZero,
    ),
  }),
);
