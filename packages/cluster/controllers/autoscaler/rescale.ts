// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { Scale } from '../../objects/scale.ts';
import { serverMessage } from '../../objects/server-message.ts';
import { statusOf, withConditions, type Replicas, type Status } from './autoscaler-status.ts';

/** Scales the target to the autoscaler's bounds; returns the resulting status. */
export async function rescale(
  autoscaler: HorizontalPodAutoscaler,
  { kind, scale }: { kind: Kind; scale: Scale },
  replicas: Replicas,
  { client, clock, event }: ReconcileContext,
): Promise<Status> {
  const { status } = autoscaler;
  const { current, desired } = replicas;
  const bound = desired < current ? 'above Spec.MaxReplicas' : 'below Spec.MinReplicas';
  const size = `New size: ${desired}; reason: Current number of replicas ${bound}`;
  try {
    const wanted: Scale = { ...scale, spec: { replicas: desired } };
    await client.update(kind, wanted, { subresource: 'scale' });
  } catch (error) {
    const text = serverMessage(error);
    await event(autoscaler, { type: 'Warning', reason: 'FailedRescale', message: `${size}; error: ${text}` });
    const message = `the HPA controller was unable to update the target scale: ${text}`;
    const failed = { type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message };
    const before = { current, desired: status?.desiredReplicas ?? 0 };
    return statusOf(autoscaler, before, withConditions(status, clock, failed));
  }
  await event(autoscaler, { type: 'Normal', reason: 'SuccessfulRescale', message: size });
  const message = `the HPA controller was able to update the target scale to ${desired}`;
  const done = { type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message };
  const after = statusOf(autoscaler, replicas, withConditions(status, clock, done));
  return { ...after, lastScaleTime: timestamp(clock) };
}
