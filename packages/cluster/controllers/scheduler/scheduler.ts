// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { PodStatus } from '@forge/kube/generated/types.ts';
import { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { isActive } from '../../objects/pod-state.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { fittingNode } from './fitting-node.ts';

/** The scheduler: binds every pod to a node, or reports why none fits. */
export const scheduler: Controller = {
  name: 'default-scheduler',
  for: Pod,
  watches: [watch(Node, (_, { cache }) => cache.list(Pod).filter(isWaiting).map(refOf))],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const { cache, event } = context;
    const pod = cache.get(Pod, ref);
    if (pod === undefined || !isWaiting(pod)) return undefined;
    const running = cache.list(Pod).filter(isActive);
    const fit = fittingNode(
      pod,
      cache.list(Node),
      (node) => running.filter(({ spec }) => spec?.nodeName === node).length,
    );
    if ('node' in fit) {
      await bind(pod, fit.node, context);
    } else if (conditionOf(pod.status?.conditions, 'PodScheduled')?.message !== fit.unschedulable) {
      const status = unschedulable(pod, fit.unschedulable, timestamp(context.clock));
      if (!(await writeStatus(context.client, Pod, pod, status))) return undefined;
      await event(pod, { type: 'Warning', reason: 'FailedScheduling', message: fit.unschedulable });
    }
    return undefined;
  },
};

function isWaiting(pod: Pod): boolean {
  const { nodeName = '', schedulerName = scheduler.name } = pod.spec ?? {};
  return nodeName === '' && schedulerName === scheduler.name && isActive(pod);
}

/** The Binding of a pod to a node. */
interface Binding extends KubeObject {
  target: { apiVersion: 'v1'; kind: 'Node'; name: string };
}

/** A Binding is created as a subresource of the pod. */
function podBinding(): Kind<Binding> {
  const { objectType: _, ...pod } = Pod;
  return { ...pod, kind: 'Binding' };
}

async function bind(pod: Pod, node: string, { client, event }: ReconcileContext): Promise<void> {
  const { name, namespace = '', uid = '' } = pod.metadata;
  const metadata = { name, namespace, uid };
  const target = { apiVersion: 'v1', kind: 'Node', name: node } as const;
  const binding: Binding = { apiVersion: 'v1', kind: 'Binding', metadata, target };
  try {
    await client.create(podBinding(), binding, { subresource: 'binding' });
  } catch (error) {
    // Deleted, or already bound, which the cache does not show yet.
    if (isApiError(error, 'Conflict', 'NotFound')) return;
    throw error;
  }
  const message = `Successfully assigned ${namespace}/${name} to ${node}`;
  await event(pod, { type: 'Normal', reason: 'Scheduled', message });
}

function unschedulable(pod: Pod, message: string, time: string): PodStatus {
  const conditions = withCondition(pod.status?.conditions, {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastTransitionTime: time,
  });
  return { ...pod.status, conditions };
}
