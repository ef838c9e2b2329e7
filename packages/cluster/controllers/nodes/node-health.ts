// SPDX-License-Identifier: Apache-2.0
import { Lease, Node } from '@forge/kube/kinds/builtin.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';
import { writeStatus } from '../../objects/write-status.ts';

const leaseNamespace = 'kube-node-lease';
const grace = seconds(40);

/**
 * Marks a node as not ready when it has not renewed its Lease for 40 seconds; the node itself reports when it is back.
 */
export const nodeHealthController: Controller = {
  name: 'node-controller',
  for: Node,
  watches: [watch(Lease, ({ metadata: { name, namespace } }) => (namespace === leaseNamespace ? [{ name }] : []))],

  async reconcile({ name }, { cache, client, clock, event }): Promise<Duration | undefined> {
    const node = cache.get(Node, { name });
    if (node === undefined) return undefined;
    const renewed = cache.get(Lease, { namespace: leaseNamespace, name })?.spec?.renewTime;
    const renewedAt = Date.parse(renewed ?? node.metadata.creationTimestamp ?? '');
    const left = renewedAt + grace - clock.now();
    if (left > 0) return milliseconds(left);
    if (conditionOf(node.status?.conditions, 'Ready')?.status === 'Unknown') return undefined;
    const time = timestamp(clock);
    const conditions = withCondition(node.status?.conditions, {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    });
    await writeStatus(client, Node, node, { ...node.status, conditions });
    await event(node, { type: 'Normal', reason: 'NodeNotReady', message: `Node ${name} status is now: NodeNotReady` });
    return undefined;
  },
};
