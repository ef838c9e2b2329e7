// SPDX-License-Identifier: Apache-2.0
import type { Ingress, Service } from '@forge/kube/kinds/builtin.ts';
import { classAnnotation } from '../resources/ingress-class.ts';
import type { Warn } from '../resources/warn.ts';

const oldHints = 'service.kubernetes.io/topology-aware-hints';

/** Warns of ignored or deprecated fields of a service. */
export function serviceWarnings({ metadata, spec = {} }: Service, warn: Warn): void {
  const { type, clusterIP, externalIPs = [], externalName = '', sessionAffinity, loadBalancerIP = '' } = spec;
  if (metadata.annotations?.[oldHints] !== undefined) {
    warn(`annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  if (isHeadless) {
    if (loadBalancerIP !== '') warn('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warn('spec.externalIPs is ignored for headless services');
    if (sessionAffinity !== 'None') warn('spec.SessionAffinity is ignored for headless services');
  } else if (externalIPs.length > 0 && type !== 'ExternalName') {
    warn('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warn('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && externalName !== '') {
    warn('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warn('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
}

/** Warns of a new Ingress that names its class by the deprecated annotation. */
export function ingressWarnings({ metadata, spec }: Ingress, warn: Warn, before: Ingress | undefined): void {
  if (before !== undefined || spec?.ingressClassName !== undefined) return;
  if (metadata.annotations?.[classAnnotation] === undefined) return;
  warn(`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`);
}
