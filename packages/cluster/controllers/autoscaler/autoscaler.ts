// SPDX-License-Identifier: Apache-2.0
import { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { groupOf } from '@forge/kube/objects/object.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { findKind, type Scale } from '../../objects/scale.ts';
import { serverMessage } from '../../objects/server-message.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { readable, statusOf, withConditions, type Status } from './autoscaler-status.ts';
import { rescale } from './rescale.ts';
import { withoutMetrics } from './without-metrics.ts';

/** How often replicas are checked, as by default in Kubernetes. */
const period = seconds(15);

/** The HorizontalPodAutoscaler controller of a cluster that serves no metrics. */
export const autoscalerController: Controller = {
  name: 'horizontal-pod-autoscaler',
  for: HorizontalPodAutoscaler,

  async reconcile(ref, context): Promise<Duration | undefined> {
    const autoscaler = context.cache.get(HorizontalPodAutoscaler, ref);
    if (autoscaler?.spec === undefined) return undefined;
    const target = await readTarget(autoscaler, context);
    const status =
      'error' in target
        ? await unreadable(autoscaler, target.error, context)
        : await scaleTarget(autoscaler, target, context);
    await writeStatus(context.client, HorizontalPodAutoscaler, autoscaler, status);
    return period;
  },
};

interface Target {
  kind: Kind;
  scale: Scale;
}

async function readTarget(
  { spec, metadata }: HorizontalPodAutoscaler,
  { client }: ReconcileContext,
): Promise<Target | { error: string }> {
  const { apiVersion = '', kind: kindName, name } = spec.scaleTargetRef;
  const group = groupOf(apiVersion);
  const kind = await findKind(client, group, kindName);
  if (kind === undefined) return { error: `no matches for kind "${kindName}" in group "${group}"` };
  try {
    const ref = { namespace: metadata.namespace, name };
    return { kind, scale: await client.get(kind, ref, { subresource: 'scale' }) };
  } catch (error) {
    return { error: serverMessage(error) };
  }
}

async function unreadable(
  autoscaler: HorizontalPodAutoscaler,
  error: string,
  { clock, event }: ReconcileContext,
): Promise<Status> {
  const { status } = autoscaler;
  const reason = 'FailedGetScale';
  await event(autoscaler, { type: 'Warning', reason, message: error });
  const message = `the HPA controller was unable to get the target's current scale: ${error}`;
  const failed = { type: 'AbleToScale', status: 'False', reason, message };
  return { desiredReplicas: 0, ...status, conditions: withConditions(status, clock, failed) };
}

/** Scales the target to its bounds; within them, the number is up to metrics, which this cluster does not have. */
async function scaleTarget(
  autoscaler: HorizontalPodAutoscaler,
  target: Target,
  context: ReconcileContext,
): Promise<Status> {
  const { minReplicas = 1, maxReplicas } = autoscaler.spec;
  const current = target.scale.spec?.replicas ?? 0;
  if (current === 0) return disabled(autoscaler, context);
  const desired = Math.min(maxReplicas, Math.max(minReplicas, current));
  if (desired !== current) return rescale(autoscaler, target, { current, desired }, context);
  return withoutMetrics(autoscaler, target.scale, context);
}

function disabled(autoscaler: HorizontalPodAutoscaler, { clock }: ReconcileContext): Status {
  const message = 'scaling is disabled since the replica count of the target is zero';
  const inactive = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message };
  return statusOf(autoscaler, { current: 0, desired: 0 }, withConditions(autoscaler.status, clock, readable, inactive));
}
