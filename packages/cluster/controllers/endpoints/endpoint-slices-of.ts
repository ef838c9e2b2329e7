// SPDX-License-Identifier: Apache-2.0
import type { Endpoint, EndpointPort, ObjectReference, ServicePort } from '@forge/kube/generated/types.ts';
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { containerPort } from '../../objects/container-port.ts';
import { isReady, isTerminal } from '../../objects/pod-state.ts';

/** The content of a slice: endpoints that share the same ports. */
export interface SliceContent {
  ports: EndpointPort[];
  endpoints: Endpoint[];
}

/**
 * The contents of a Service's slices: usually one; pods that map a named port differently need separate slices. A
 * Service without pods has one empty slice.
 */
export function endpointSlicesOf(service: Service, pods: readonly Pod[]): SliceContent[] {
  const slices = new Map<string, SliceContent>();
  const byName = pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const pod of byName) {
    const endpoint = endpointOf(service, pod);
    if (endpoint === undefined) continue;
    const ports = (service.spec?.ports ?? []).flatMap((port) => portOn(pod, port) ?? []);
    const key = JSON.stringify(ports);
    const slice = slices.get(key) ?? { ports, endpoints: [] };
    slice.endpoints.push(endpoint);
    slices.set(key, slice);
  }
  return slices.size > 0 ? [...slices.values()] : [{ ports: [], endpoints: [] }];
}

/** A pod's endpoint; undefined when it has no address or has finished. */
function endpointOf(service: Service, pod: Pod): Endpoint | undefined {
  const { metadata, spec, status } = pod;
  if (status?.podIP === undefined || isTerminal(pod)) return undefined;
  const serving = isReady(pod);
  const terminating = metadata.deletionTimestamp !== undefined;
  const hostname = hostnameIn(service, pod);
  return {
    addresses: [status.podIP],
    conditions: {
      ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname !== undefined && { hostname }),
    ...(spec?.nodeName !== undefined && { nodeName: spec.nodeName }),
    targetRef: podReference(pod),
  };
}

/** The reference of an endpoint to its pod. */
export function podReference({ metadata: { name, namespace, uid } }: Pod): ObjectReference {
  return {
    kind: 'Pod',
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
  };
}

/** The hostname of a pod in the domain of its Service; undefined when it has none. */
export function hostnameIn({ metadata }: Service, { spec }: Pod): string | undefined {
  return spec?.subdomain === metadata.name ? spec.hostname : undefined;
}

/** The Service's port on this pod; undefined when the pod has no port of that name. */
export function portOn(
  pod: Pod,
  { name = '', protocol = 'TCP', port, targetPort, appProtocol }: ServicePort,
): EndpointPort | undefined {
  const number = typeof targetPort === 'string' ? containerPort(pod, targetPort, protocol) : targetPort || port;
  if (number === undefined) return undefined;
  return { name, port: number, protocol, ...(appProtocol !== undefined && { appProtocol }) };
}
