// SPDX-License-Identifier: Apache-2.0
import type { ServiceSpec } from '@forge/kube/generated/types.ts';

/** Whether a service accepts traffic from outside the cluster. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && externalIPs.length > 0);
}

/** Whether a service has node ports. */
export function needsNodePorts({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts);
}

/** Whether load balancers need a health check port to find nodes with local endpoints. */
export function needsHealthCheckNodePort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}
