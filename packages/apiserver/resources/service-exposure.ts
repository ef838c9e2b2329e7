// SPDX-License-Identifier: Apache-2.0
import type { ServiceSpec } from '@forge/kube/generated/types.ts';

/** Whether a service is for others than the cluster's own. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && externalIPs.length > 0);
}

/** Whether the nodes listen for the service. */
export function needsNodePorts({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts);
}

/** Whether a load balancer asks the nodes which of them have endpoints of the service. */
export function needsHealthCheckNodePort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}
