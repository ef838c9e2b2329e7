// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { recordTypes, responseCodes, type DnsAnswer } from './dns-message.ts';

/** The cluster domain. */
export const clusterDomain = 'cluster.local';

/** A snapshot of the cluster's names. */
export interface DnsZone {
  /** Addresses of a name; undefined when it does not exist. */
  addressesOf(name: string): readonly string[] | undefined;
  answer(name: string, type: number): DnsAnswer;
}

/**
 * The names of all Services: with the cluster IP, or for headless ones with the addresses of ready pods, and a name for
 * each pod.
 */
export function dnsZone(services: Iterable<Service>, slices: Iterable<EndpointSlice>): DnsZone {
  const names = new Map<string, Set<string>>();
  const add = (name: string, ...addresses: string[]) => {
    names.set(name, new Set([...(names.get(name) ?? []), ...addresses]));
  };
  // These names exist without an address: NXDOMAIN would also apply to the names below them.
  add(clusterDomain);
  add(`svc.${clusterDomain}`);
  const headless = new Map<string, boolean>();

  for (const { metadata, spec } of services) {
    const name = serviceName(metadata.name, metadata.namespace);
    const isHeadless = spec?.clusterIP === 'None';
    headless.set(name, isHeadless);
    add(`${metadata.namespace}.svc.${clusterDomain}`);
    add(name, ...(isHeadless || !spec?.clusterIP ? [] : [spec.clusterIP]));
  }

  for (const { metadata, endpoints } of slices) {
    const name = serviceName(metadata.labels?.['kubernetes.io/service-name'] ?? '', metadata.namespace);
    if (headless.get(name) !== true) continue;
    // An empty list may be null.
    for (const { addresses, conditions, hostname } of endpoints ?? []) {
      if (conditions?.ready === false) continue;
      add(name, ...addresses);
      if (hostname !== undefined) add(`${hostname}.${name}`, ...addresses);
    }
  }

  const addressesOf = (name: string) => {
    const found = names.get(name);
    return found && [...found];
  };

  return {
    addressesOf,
    answer(name, type) {
      const addresses = addressesOf(name);
      // Also for names outside the cluster: the network is isolated, and an immediate NXDOMAIN avoids timeouts.
      if (addresses === undefined) return { code: responseCodes.NXDOMAIN, addresses: [], zone: zoneOf(name) };
      const asked = type === recordTypes.A || type === recordTypes.ANY;
      return { code: responseCodes.NOERROR, addresses: asked ? addresses : [], zone: clusterDomain };
    },
  };
}

/** The resolv.conf of a pod. */
export function resolvConf(namespace: string, nameserver: string): string {
  const search = [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
  return `search ${search.join(' ')}\nnameserver ${nameserver}\noptions ndots:5\n`;
}

function serviceName(name: string, namespace = 'default'): string {
  return `${name}.${namespace}.svc.${clusterDomain}`;
}

function zoneOf(name: string): string {
  return name === clusterDomain || name.endsWith(`.${clusterDomain}`) ? clusterDomain : '';
}
