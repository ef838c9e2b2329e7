// SPDX-License-Identifier: Apache-2.0
import type { NodeCondition, NodeSpec, NodeStatus } from '@forge/kube/generated/types.ts';
import type { Node } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, chain } from './defaults.ts';

/** Times never told are shown all the same. */
const untimed = defaults<NodeCondition>({ lastHeartbeatTime: null as never, lastTransitionTime: null as never });

/** All a node has can be given away, unless it keeps some for itself. */
function defaultAllocatable(node: NodeStatus): NodeStatus {
  const { capacity, allocatable } = node;
  return capacity !== undefined && allocatable === undefined ? { ...node, allocatable: capacity } : node;
}

/** The network of a node's pods has an old name and a new one. */
function mirrorPodCIDR(node: NodeSpec): NodeSpec {
  const { podCIDR = '', podCIDRs = [] } = node;
  return podCIDR === '' || podCIDRs.length > 0 ? node : { ...node, podCIDRs: [podCIDR] };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** A new node, which takes no pods until somebody has seen that it is ready. */
export function withNotReadyTaint(node: Node): Node {
  const { taints = [] } = node.spec ?? {};
  if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, notReady] } };
}

/** A node with all that its kubelet may leave out. */
export const defaultNode = defaults<Node>(
  {},
  { spec: mirrorPodCIDR, status: chain(defaultAllocatable, defaults({}, { conditions: eachItem(untimed) })) },
);
