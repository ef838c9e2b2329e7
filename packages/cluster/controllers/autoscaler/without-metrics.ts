// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import type { Scale } from '../../objects/scale.ts';
import { readable, statusOf, withConditions, type Status } from './autoscaler-status.ts';
import { missingMetric } from './missing-metric.ts';

/** Why the replicas cannot be computed. */
interface Failure {
  notes: EventNote[];
  /** The message of the Event about all metrics. */
  summary: string;
  /** Reason and message of the condition. */
  reason: string;
  message: string;
}

/** Reports each metric that cannot be read; does not change the replicas. */
export async function withoutMetrics(
  autoscaler: HorizontalPodAutoscaler,
  scale: Scale,
  { clock, event }: ReconcileContext,
): Promise<Status> {
  const { spec, status } = autoscaler;
  const replicas = { current: scale.spec?.replicas ?? 0, desired: status?.desiredReplicas ?? 0 };
  const failure = (scale.status?.selector ?? '') === '' ? noSelector() : noMetrics(autoscaler);
  const { notes, summary, reason, message } = failure;
  const whole: EventNote = { type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: summary };
  for (const note of [...notes, whole]) await event(autoscaler, note);
  const inactive = { type: 'ScalingActive', status: 'False', reason, message };
  const metrics = reason === 'InvalidSelector' ? 0 : spec.metrics?.length;
  return statusOf(autoscaler, replicas, withConditions(status, clock, readable, inactive), metrics);
}

function noSelector(): Failure {
  const summary = 'selector is required';
  return {
    notes: [{ type: 'Warning', reason: 'SelectorRequired', message: summary }],
    summary,
    reason: 'InvalidSelector',
    message: "the HPA target's scale is missing a selector",
  };
}

function noMetrics({ spec, metadata }: HorizontalPodAutoscaler): Failure {
  const missing = (spec.metrics ?? []).map((metric) => missingMetric(metric, metadata.namespace ?? ''));
  const [first] = missing;
  const invalid = `invalid metrics (${missing.length} invalid out of ${missing.length})`;
  return {
    notes: missing.map(({ reason, message }) => ({ type: 'Warning', reason, message })),
    summary: `${invalid}, first error is: ${first?.summary ?? ''}`,
    reason: first?.reason ?? '',
    message: `the HPA was unable to compute the replica count: ${first?.message ?? ''}`,
  };
}
