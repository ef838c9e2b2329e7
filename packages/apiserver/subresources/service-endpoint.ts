// SPDX-License-Identifier: Apache-2.0
import type { EndpointAddress, EndpointSubset } from '@forge/kube/generated/types.ts';
import type { Endpoints, EndpointSlice, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import type { PodEndpoint } from '../kubelet/request-pod.ts';
import { badRequest, notFound, serviceUnavailable } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';

const maxInteger = 2n ** 63n;

/** A pod that serves `[scheme:]name[:port]`, chosen at random; throws kube-apiserver's error when there is none. */
export function serviceEndpoint(server: ServerContext, request: ResourceRequest): PodEndpoint {
  const { scheme, name, port } = serviceRequest(request.name);
  const portName = portNameOf(server, request, name, port);
  const subsets = subsetsOf(server, request.namespace, name);
  if (subsets === undefined) throw notFound(request.resource.kind, name);
  if (subsets.length === 0) throw noEndpoints(name);
  for (const { addresses = [], ports = [] } of rotated(subsets, server)) {
    const number = ports.find((each) => (each.name ?? '') === portName)?.port;
    if (number === undefined) continue;
    const address = rotated(addresses, server).find((each) => isPodAddress(server, request.namespace, each));
    if (address !== undefined) return { scheme, host: address.ip, port: number };
  }
  throw noEndpoints(request.name);
}

function serviceRequest(id: string): { scheme: PodEndpoint['scheme']; name: string; port: string } {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid service request "${id}"`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** The name of the port with this number; anything else is a name. */
function portNameOf(
  { store }: ServerContext,
  { namespace, resource }: ResourceRequest,
  name: string,
  port: string,
): string {
  const number = /^[+-]?\d+$/.test(port) ? BigInt(port.replace('+', '')) : undefined;
  if (number === undefined || number >= maxInteger || number < -maxInteger) return port;
  const service = store.current.objects.get(`services/${namespace}/${name}`)?.value as Service | undefined;
  if (service === undefined) throw notFound(resource.kind, name);
  const found = service.spec?.ports?.find((each) => BigInt(each.port) === number);
  if (found === undefined) throw serviceUnavailable(`no service port ${number} found for service "${name}"`);
  return found.name ?? '';
}

/** The subsets of a Service's Endpoints; where no controller writes these, derived from its EndpointSlices. */
function subsetsOf(
  { store }: ServerContext,
  namespace: string | undefined,
  name: string,
): readonly EndpointSubset[] | undefined {
  const { objects } = store.current;
  const endpoints = objects.get(`endpoints/${namespace}/${name}`)?.value as Endpoints | undefined;
  if (endpoints !== undefined) return endpoints.subsets ?? [];
  const slices = [...objects.withPrefix(`endpointslices.discovery.k8s.io/${namespace}/`)]
    .map(({ value }) => value as EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  return slices.length === 0 ? undefined : slices.flatMap(subsetOf);
}

function subsetOf({ endpoints, ports }: EndpointSlice): EndpointSubset[] {
  const ready = endpoints?.filter(({ conditions }) => conditions?.ready !== false);
  if (ready === undefined || endpoints?.length === 0) return [];
  const addresses = ready.flatMap(({ addresses: [ip], targetRef }) =>
    ip === undefined ? [] : [{ ip, ...(targetRef && { targetRef }) }],
  );
  const numbered = ports?.flatMap(({ name = '', port }) => (port === undefined ? [] : [{ name, port }]));
  return [{ addresses, ports: numbered ?? [] }];
}

/** Whether the address is that of a pod in the namespace: nothing else may be reached through the server. */
function isPodAddress(
  { store }: ServerContext,
  namespace: string | undefined,
  { ip, targetRef }: EndpointAddress,
): boolean {
  if (targetRef === undefined || targetRef.namespace !== namespace) return false;
  const pod = store.current.objects.get(`pods/${namespace}/${targetRef.name}`)?.value as Pod | undefined;
  return pod?.status?.podIPs?.some((each) => each.ip === ip) === true;
}

/** The items, starting with a random one. */
function rotated<T>(items: readonly T[], { random }: ServerContext): readonly T[] {
  const start = Math.floor(random.number() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

function noEndpoints(service: string): Error {
  return serviceUnavailable(`no endpoints available for service "${service}"`);
}
