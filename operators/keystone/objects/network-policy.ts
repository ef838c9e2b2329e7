// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicyEgressRule, NetworkPolicyPeer } from '@forge/kube/generated/types.ts';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../api/keystone.ts';
import { apiPort, commonLabels, namesOf, selectorLabels } from '../api/names.ts';
import { databasePortOf } from './backends.ts';

type Isolation = NonNullable<Keystone['spec']['networkPolicy']>;

/** The policy of the API pods: who may reach them, and what they may reach. `ownNamespace` is the operator's, whose health check must pass. */
export function apiNetworkPolicy(
  keystone: Keystone,
  isolation: Isolation,
  ownNamespace: string | undefined,
): NetworkPolicy {
  if (isolation.ingress.length === 0) {
    throw new Error(
      'spec.networkPolicy.ingress must not be empty: refusing to create NetworkPolicy that would allow all ingress',
    );
  }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: namesOf(keystone).api, labels: commonLabels(keystone) },
    spec: {
      podSelector: { matchLabels: selectorLabels(keystone) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [tcp(apiPort)], from: peers(keystone, isolation, ownNamespace) }],
      egress: [...derivedEgress(keystone), ...(isolation.additionalEgress ?? [])],
    },
  };
}

function peers({ metadata, spec }: Keystone, { ingress }: Isolation, own: string | undefined): NetworkPolicyPeer[] {
  const declared = ingress.map(({ namespaceSelector, podSelector = {} }) => ({
    namespaceSelector: { matchLabels: namespaceSelector },
    ...(Object.keys(podSelector).length > 0 && { podSelector: { matchLabels: podSelector } }),
  }));
  // Labels of a Gateway's pods are its implementation's own, so its whole namespace may pass.
  const gateway = spec.gateway && (spec.gateway.parentRef.namespace || metadata.namespace);
  return [...declared, ...[gateway, own].filter((name) => name !== undefined).map(namespacePeer)];
}

const namespacePeer = (name: string): NetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

/** To any destination: DNS may run in any namespace, and a cluster's pods are known to its operator alone. */
function derivedEgress(keystone: Keystone): NetworkPolicyEgressRule[] {
  const { database, cache } = keystone.spec;
  return [
    { ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] },
    ...(database.clusterRef === undefined ? [] : [{ ports: [tcp(databasePortOf(keystone))] }]),
    ...(cache.clusterRef === undefined ? [] : [{ ports: [tcp(11211)] }]),
  ];
}

function tcp(port: number) {
  return { port, protocol: 'TCP' };
}
