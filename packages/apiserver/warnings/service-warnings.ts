// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/builtin.ts';

const oldHints = 'service.kubernetes.io/topology-aware-hints';

/** Warns of what is in a service and has no effect, or will have none. */
export function* serviceWarnings({ metadata, spec = {} }: Service): Generator<string> {
  const { type, clusterIP, externalIPs = [], externalName = '', sessionAffinity, loadBalancerIP = '' } = spec;
  if (metadata.annotations?.[oldHints] !== undefined) {
    yield `annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`;
  }
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  if (isHeadless) {
    if (loadBalancerIP !== '') yield 'spec.loadBalancerIP is ignored for headless services';
    if (externalIPs.length > 0) yield 'spec.externalIPs is ignored for headless services';
    if (sessionAffinity !== 'None') yield 'spec.SessionAffinity is ignored for headless services';
  } else if (externalIPs.length > 0 && type !== 'ExternalName') {
    yield 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  }
  if (type === 'ExternalName' && externalIPs.length > 0) {
    yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  }
  if (type !== 'ExternalName' && externalName !== '') {
    yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
  }
  if (spec.trafficDistribution === 'PreferClose') {
    yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"';
  }
}
