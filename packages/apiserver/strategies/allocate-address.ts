// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import { Service } from '@forge/kube/builtin.ts';
import { invalidValue } from '@forge/kube/field-error.ts';
import { invalid } from '../refusal.ts';
import type { Surroundings } from '../surroundings.ts';

/** Gives a new service its cluster address and node ports: those it asks for when they are free, else some that are. */
export function allocateAddress(service: Service, surroundings: Surroundings): Service {
  const { spec } = service;
  if (spec === undefined || spec.type === 'ExternalName') return service;
  const withPorts = { ...spec, ...allocatePorts(service, surroundings) };
  if (spec.clusterIP === 'None') return { ...service, spec: { ...withPorts, clusterIPs: ['None'] } };
  const wanted = spec.clusterIP ?? spec.clusterIPs?.[0] ?? '';
  const clusterIP = wanted === '' ? freeAddress(surroundings) : checkAddress(service, wanted, surroundings);
  return { ...service, spec: { ...withPorts, clusterIP, clusterIPs: [clusterIP] } };
}

/** The address of the cluster's own Service `kubernetes`: the first of the network. */
export function firstAddress(serviceCidr: string): string {
  return formatAddress(network(serviceCidr).base + 1);
}

/** A changed service keeps the addresses and node ports it was given when its writer does not name them. */
export function keepAddress(service: Service, { spec: before }: Service): Service {
  const { spec } = service;
  if (spec === undefined || before === undefined || spec.type === 'ExternalName') return service;
  const { clusterIP = before.clusterIP, ports = [] } = spec;
  const kept = ports.map((port) => {
    const { nodePort } = before.ports?.find((old) => old.port === port.port && old.protocol === port.protocol) ?? {};
    const exposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
    return exposed && nodePort !== undefined ? { nodePort, ...port } : port;
  });
  return {
    ...service,
    spec: {
      ...spec,
      ...(clusterIP !== undefined && { clusterIP, clusterIPs: spec.clusterIPs ?? [clusterIP] }),
      ...(ports.length > 0 && { ports: kept }),
    },
  };
}

function allocatePorts({ spec }: Service, surroundings: Surroundings): Pick<NonNullable<Service['spec']>, 'ports'> {
  const { type, ports } = spec ?? {};
  if (ports === undefined || (type !== 'NodePort' && type !== 'LoadBalancer')) return {};
  const taken = new Set(
    services(surroundings).flatMap(({ spec: other }) => other?.ports?.map(({ nodePort }) => nodePort) ?? []),
  );
  return {
    ports: ports.map((port) => {
      if (port.nodePort !== undefined) return port;
      const nodePort = firstFree(surroundings, 30_000, 2_768, (candidate) => taken.has(candidate));
      taken.add(nodePort);
      return { ...port, nodePort };
    }),
  };
}

function freeAddress(surroundings: Surroundings): string {
  const { base, size } = network(surroundings.serviceCidr);
  const taken = takenAddresses(surroundings);
  // The low end of the network is left to addresses that are asked for, as a real server does.
  const reserved = Math.min(256, Math.max(16, Math.floor(size / 16)));
  const free = firstFree(surroundings, base + reserved, size - reserved - 1, (candidate) =>
    taken.has(formatAddress(candidate)),
  );
  return formatAddress(free);
}

function checkAddress(service: Service, address: string, surroundings: Surroundings): string {
  const { base, size } = network(surroundings.serviceCidr);
  const refuse = (why: string) =>
    invalid(Service, service.metadata.name, [invalidValue('spec.clusterIPs', [address], why)]);
  if (!isIPv4(address)) throw refuse('must be a valid IP address');
  const offset = parseAddress(address) - base;
  if (offset <= 0 || offset >= size) {
    throw refuse(
      `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${surroundings.serviceCidr}`,
    );
  }
  if (takenAddresses(surroundings).has(address))
    throw refuse(`failed to allocate IP ${address}: provided IP is already allocated`);
  return address;
}

/** A free number of the range, looked for from a random one on. */
function firstFree(
  { random }: Surroundings,
  from: number,
  count: number,
  taken: (candidate: number) => boolean,
): number {
  const start = Math.floor(random.number() * count);
  for (let step = 0; step < count; step += 1) {
    const candidate = from + ((start + step) % count);
    if (!taken(candidate)) return candidate;
  }
  throw new Error(`all ${count} numbers from ${from} on are taken: delete a Service that is no longer used`);
}

function takenAddresses(surroundings: Surroundings): Set<string> {
  return new Set(services(surroundings).flatMap(({ spec }) => spec?.clusterIPs ?? []));
}

function services({ store }: Surroundings): Service[] {
  return [...store.current.objects.withPrefix('services/')].map(({ value }) => value as Service);
}

function network(cidr: string): { base: number; size: number } {
  const [address = '', bits = '32'] = cidr.split('/');
  return { base: parseAddress(address), size: 2 ** (32 - Number(bits)) };
}

function parseAddress(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
