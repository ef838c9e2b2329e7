// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, NetworkPolicy, Service } from '@forge/kube/builtin.ts';

/** A service with all that its writer may leave out, but for its address. */
export function defaultService(service: Service): Service {
  const { spec } = service;
  if (spec === undefined) return service;
  const type = spec.type ?? 'ClusterIP';
  const external = type === 'NodePort' || type === 'LoadBalancer';
  return {
    ...service,
    spec: {
      type,
      sessionAffinity: 'None',
      ...(spec.sessionAffinity === 'ClientIP' && { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
      ...(type !== 'ExternalName' && {
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      }),
      ...(external && { externalTrafficPolicy: 'Cluster' }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
      ...spec,
      ...(spec.ports !== undefined && {
        ports: spec.ports.map((port) => ({ protocol: 'TCP', targetPort: port.port, ...port })),
      }),
    },
  };
}

/** A slice whose ports all have a name, empty or not, and a protocol. */
export function defaultEndpointSlice(slice: EndpointSlice): EndpointSlice {
  const { ports } = slice;
  if (ports === undefined) return slice;
  return { ...slice, ports: ports.map((port) => ({ name: '', protocol: 'TCP', ...port })) };
}

/** A policy rules the direction it has rules for, and what comes in always. */
export function defaultNetworkPolicy(policy: NetworkPolicy): NetworkPolicy {
  const { spec } = policy;
  if (spec === undefined) return policy;
  const policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  return { ...policy, spec: { policyTypes, ...spec } };
}
