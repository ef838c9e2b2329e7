// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { ServiceSpec } from '@forge/kube/generated/types.ts';
import { Service } from '@forge/kube/kinds/builtin.ts';
import { invalid } from '../../messages/status-errors.ts';
import type { CoreContext } from '../../resources/core-context.ts';
import { validateAddresses } from '../../validation/cluster-address-rules.ts';
import { firstFree, allServices } from './free-number.ts';

/** Allocates the cluster IP of a service: the requested one if free, else a random one. */
export function allocateAddress(service: Service, context: CoreContext): Service {
  const { spec } = service;
  if (spec === undefined || spec.type === 'ExternalName') return service;
  const errors = validateAddresses(service, undefined);
  if (errors.length > 0) throw invalidService(service, errors);
  const [wanted = ''] = spec.clusterIPs ?? [spec.clusterIP ?? ''];
  const clusterIP = wanted === '' ? freeAddress(context) : wanted;
  if (wanted !== '' && wanted !== 'None') checkAddress(service, wanted, context);
  return { ...service, spec: { ...families(spec, clusterIP), clusterIP, clusterIPs: [clusterIP] } };
}

/** The cluster IP of the Service `kubernetes`: the first of the range. */
export function firstAddress(serviceCidr: string): string {
  return formatAddress(network(serviceCidr).base + 1);
}

/** Headless services without a selector may have endpoints of both families. */
function families({ selector, ...spec }: ServiceSpec, clusterIP: string): ServiceSpec {
  const isUnspecified = clusterIP === 'None' && selector === undefined;
  return {
    ipFamilies: isUnspecified ? ['IPv4', 'IPv6'] : ['IPv4'],
    ipFamilyPolicy: isUnspecified ? 'RequireDualStack' : 'SingleStack',
    ...(selector !== undefined && { selector }),
    ...spec,
  };
}

function freeAddress(context: CoreContext): string {
  const { base, size } = network(context.serviceCidr);
  const taken = takenAddresses(context);
  // As in kube-apiserver, the low end of the range is reserved for static allocation.
  const reserved = Math.min(256, Math.max(16, Math.floor(size / 16)));
  const free = firstFree(context.random, base + reserved, size - reserved - 1, (candidate) =>
    taken.has(formatAddress(candidate)),
  );
  return formatAddress(free);
}

function checkAddress(service: Service, address: string, context: CoreContext): void {
  const { base, size } = network(context.serviceCidr);
  const offset = isIPv4(address) ? parseAddress(address) - base : -1;
  const why =
    offset <= 0 || offset >= size
      ? 'the provided network does not match the current range'
      : takenAddresses(context).has(address)
        ? 'provided IP is already allocated'
        : undefined;
  if (why === undefined) return;
  throw invalidService(service, [
    invalidValue('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`),
  ]);
}

function invalidService({ metadata }: Service, errors: readonly FieldError[]): Error {
  return invalid(Service, metadata.name, errors);
}

function takenAddresses(context: CoreContext): Set<string> {
  return new Set(allServices(context).flatMap(({ spec }) => spec?.clusterIPs ?? []));
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
