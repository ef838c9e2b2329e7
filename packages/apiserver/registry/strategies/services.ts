// SPDX-License-Identifier: Apache-2.0
import type { ServiceSpec, ServicePort } from '@forge/kube/generated/types.ts';
import type { Ingress, IngressClass, Service } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { needsHealthCheckNodePort, isExternallyAccessible, needsNodePorts } from '../../resources/service-exposure.ts';
import { validateIngress, validateIngressClass } from '../../validation/kinds/ingress-rules.ts';
import { validateService } from '../../validation/kinds/services.ts';
import { ingressWarnings, serviceWarnings } from '../../warnings/services.ts';
import { allocateAddress } from '../allocation/allocate-address.ts';
import { allocatePorts } from '../allocation/allocate-ports.ts';
import { hasAllocationConflict } from '../allocation/has-allocation-conflict.ts';
import { defaultIngressClass, defaultService, fillIngressZeros } from '../defaults/services.ts';
import { strategy } from './strategy.ts';

/** The strategy of services: allocates addresses and node ports. */
const serviceStrategy: Strategy<Service> = {
  default: defaultService,
  prepareForCreate: (service, context) => ({
    ...allocatePorts(allocateAddress(service, context), context),
    status: { loadBalancer: {} },
  }),
  prepareForUpdate(service, before, context) {
    const kept = keepAllocated(service, before);
    return allocatePorts(hasAddress(kept) ? kept : allocateAddress(kept, context), context);
  },
  hasAllocationConflict: hasAllocationConflict,
  validate: validateService,
  allowCreateOnUpdate: true,
  warnings: serviceWarnings,
  returnsDeletedObject: true,
};

function hasAddress({ spec }: Service): boolean {
  return spec?.type === 'ExternalName' || (spec?.clusterIP ?? '') !== '';
}

/** An updated service keeps allocated values that the request omits and that still apply. */
function keepAllocated(service: Service, { spec: before }: Service): Service {
  const { spec } = service;
  if (spec === undefined || before === undefined || spec.type === 'ExternalName') return service;
  const { clusterIP = before.clusterIP, ports, ...rest } = spec;
  const { ipFamilies, ipFamilyPolicy } = before;
  const families = { ...(ipFamilies && { ipFamilies }), ...(ipFamilyPolicy !== undefined && { ipFamilyPolicy }) };
  const isHealthy =
    needsHealthCheckNodePort(before) && needsHealthCheckNodePort(spec) && before.healthCheckNodePort !== undefined;
  return {
    ...service,
    spec: {
      ...families,
      ...(isHealthy && { healthCheckNodePort: before.healthCheckNodePort }),
      ...withoutStaleFields(rest, before),
      ...(clusterIP !== undefined && { clusterIP, clusterIPs: keptAddresses(spec, before, clusterIP) }),
      ...(ports !== undefined && { ports: keptPorts(spec, before) }),
    },
  };
}

/** Fields that apply to some services only. */
const uses: { readonly [K in keyof ServiceSpec]?: (spec: ServiceSpec) => boolean } = {
  healthCheckNodePort: needsHealthCheckNodePort,
  externalTrafficPolicy: isExternallyAccessible,
  allocateLoadBalancerNodePorts: ({ type }) => type === 'LoadBalancer',
  loadBalancerClass: ({ type }) => type === 'LoadBalancer',
};

/** The spec without unchanged fields that no longer apply. */
function withoutStaleFields(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const unusedFields = Object.entries(uses).flatMap(([field, isUsed]) =>
    isUsed(before) && !isUsed(spec) ? field : [],
  );
  const isKept = ([field, value]: [string, unknown]) =>
    !unusedFields.includes(field) || value !== before[field as 'type'];
  return Object.fromEntries(Object.entries(spec).filter(isKept));
}

/** A changed clusterIP replaces clusterIPs too. */
function keptAddresses({ clusterIPs }: ServiceSpec, before: ServiceSpec, clusterIP: string): string[] {
  const isOld = clusterIPs === undefined || clusterIPs[0] === before.clusterIPs?.[0];
  return isOld ? [clusterIP] : clusterIPs;
}

function keptPorts(spec: ServiceSpec, before: ServiceSpec): ServicePort[] {
  const { ports = [] } = spec;
  if (!needsNodePorts(spec)) return needsNodePorts(before) ? ports.map(withoutNodePort) : ports;
  return ports.map((port) => {
    const old = before.ports?.find((each) => each.port === port.port && each.protocol === port.protocol);
    return old?.nodePort === undefined ? port : { nodePort: old.nodePort, ...port };
  });
}

function withoutNodePort(port: ServicePort): ServicePort {
  const { nodePort: _, ...rest } = port;
  return rest;
}

/** By kind. */
export const serviceStrategies: Readonly<Record<string, Strategy>> = {
  Ingress: strategy<Ingress>({
    prepareForCreate: (ingress) => ({ ...ingress, status: { loadBalancer: {} } }),
    fillZeroValues: fillIngressZeros,
    validate: validateIngress,
    warnings: ingressWarnings,
    generation: true,
  }),
  IngressClass: strategy<IngressClass>({
    default: defaultIngressClass,
    validate: validateIngressClass,
    generation: true,
  }),
  Service: strategy(serviceStrategy),
};
