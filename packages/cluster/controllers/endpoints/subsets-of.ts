// SPDX-License-Identifier: Apache-2.0
import type { CoreEndpointPort, EndpointAddress, EndpointSubset } from '@forge/kube/generated/types.ts';
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { isReady, isTerminal } from '../../objects/pod-state.ts';
import { hostnameIn, podReference, portOn } from './endpoint-slices-of.ts';

interface PodAddress {
  address: EndpointAddress;
  ready: boolean;
}

/** The subsets of a Service's Endpoints: ports share a subset when the same pods serve them in the same state. */
export function subsetsOf(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const { ports: servicePorts = [], publishNotReadyAddresses = false } = service.spec ?? {};
  const members = pods.filter((pod) => isListed(pod, publishNotReadyAddresses)).toSorted(byAddress);
  const addressOf = (pod: Pod): PodAddress => ({
    address: endpointAddress(service, pod),
    ready: publishNotReadyAddresses || isReady(pod),
  });
  if (servicePorts.length === 0) return members.length === 0 ? [] : [subset(members.map(addressOf), [])];

  const byPort = new Map<string, { port: CoreEndpointPort; members: PodAddress[] }>();
  for (const pod of members) {
    for (const servicePort of servicePorts) {
      const port = endpointPort(pod, servicePort);
      if (port === undefined) continue;
      const entry = byPort.get(JSON.stringify(port)) ?? { port, members: [] };
      entry.members.push(addressOf(pod));
      byPort.set(JSON.stringify(port), entry);
    }
  }
  const groups = Map.groupBy(byPort.values(), (each) => JSON.stringify(each.members));
  return [...groups.values()].map((group) =>
    subset(
      group[0]?.members ?? [],
      group.map(({ port }) => port),
    ),
  );
}

/** Whether a pod is listed: not finished, with an address, and not terminating unless unready pods are published. */
function isListed(pod: Pod, terminatingToo: boolean): boolean {
  const isTerminating = pod.metadata.deletionTimestamp !== undefined;
  return !isTerminal(pod) && pod.status?.podIP !== undefined && (terminatingToo || !isTerminating);
}

function byAddress(a: Pod, b: Pod): number {
  return (a.status?.podIP ?? '') < (b.status?.podIP ?? '') ? -1 : 1;
}

function endpointAddress(service: Service, pod: Pod): EndpointAddress {
  const hostname = hostnameIn(service, pod);
  return {
    ip: pod.status?.podIP ?? '',
    ...(hostname !== undefined && { hostname }),
    ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
    targetRef: podReference(pod),
  };
}

/** An unnamed port of Endpoints has no name field, unlike a port of a slice. */
function endpointPort(pod: Pod, servicePort: Parameters<typeof portOn>[1]): CoreEndpointPort | undefined {
  const { name, port, ...rest } = portOn(pod, servicePort) ?? {};
  return port === undefined ? undefined : { ...(name !== '' && name !== undefined && { name }), port, ...rest };
}

function subset(members: readonly PodAddress[], ports: CoreEndpointPort[]): EndpointSubset {
  const addresses = members.filter(({ ready }) => ready).map(({ address }) => address);
  const notReadyAddresses = members.filter(({ ready }) => !ready).map(({ address }) => address);
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}
