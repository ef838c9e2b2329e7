// SPDX-License-Identifier: Apache-2.0
import type { NodeCondition, NodeStatus, NodeSpec } from '@forge/kube/generated/types.ts';
import type { Node } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, chain } from './defaults.ts';

/** Unset times are serialized as null. */
const unsetTimes = defaults<NodeCondition>({ lastHeartbeatTime: null as never, lastTransitionTime: null as never });

/** allocatable defaults to capacity. */
function defaultAllocatable(node: NodeStatus): NodeStatus {
  const { capacity, allocatable } = node;
  return capacity !== undefined && allocatable === undefined ? { ...node, allocatable: capacity } : node;
}

/** podCIDRs defaults to podCIDR. */
function mirrorPodCIDR(node: NodeSpec): NodeSpec {
  const { podCIDR = '', podCIDRs = [] } = node;
  return podCIDR === '' || podCIDRs.length > 0 ? node : { ...node, podCIDRs: [podCIDR] };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** A new node with the not-ready taint. */
export function withNotReadyTaint(node: Node): Node {
  const { taints = [] } = node.spec ?? {};
  if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, notReady] } };
}

/** Defaults of nodes. */
export const defaultNode = defaults<Node>(
  {},
  { spec: mirrorPodCIDR, status: chain(defaultAllocatable, defaults({}, { conditions: eachItem(unsetTimes) })) },
);
