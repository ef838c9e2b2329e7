// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicyEgressRule, NetworkPolicyIngressRule } from '@forge/kube/generated/types.ts';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import { apiPort, clusterPort, componentLabel, components, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { derivedEgress } from './derived-egress.ts';
import { hasIngress } from './ingress.ts';
import { namespacePeer, tcp } from './policy-parts.ts';

/** What the policy depends on besides the spec. */
interface PolicyInputs {
  readonly apiServer: readonly NetworkPolicyEgressRule[];
  /** Undefined when the operator does not run in the cluster. */
  readonly operatorNamespace: string | undefined;
}

/** Who may reach the servers, and what they may reach. It does not select the Jobs of the cluster. */
export function serverNetworkPolicy(cluster: OpenBaoCluster, inputs: PolicyInputs): NetworkPolicy {
  const { ingressRules = [], egressRules = [] } = cluster.spec.network ?? {};
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: namesOf(cluster).networkPolicy, labels: labelsOf(cluster) },
    spec: {
      podSelector: {
        matchLabels: labelsOf(cluster),
        matchExpressions: [{ key: componentLabel, operator: 'NotIn', values: [components.backup, components.upgrade] }],
      },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [...ownIngress(cluster, inputs), ...ingressRules],
      egress: [...ownEgress(cluster, inputs), ...egressRules],
    },
  };
}

function ownIngress(cluster: OpenBaoCluster, { operatorNamespace }: PolicyInputs): NetworkPolicyIngressRule[] {
  const operator = operatorNamespace === undefined ? [] : [operatorPeer(operatorNamespace)];
  // Challenges of ACME may come from any address, like users of an Ingress.
  const isOpen = hasIngress(cluster) || cluster.spec.tls.mode === 'ACME';
  return [
    { from: [clusterPeer(cluster)], ports: serverPorts },
    { from: [namespacePeer('kube-system')] },
    ...operator.map((peer) => ({ from: [peer], ports: [tcp(apiPort)] })),
    ...(isOpen ? [{ ports: [tcp(apiPort)] }] : []),
  ];
}

function ownEgress(cluster: OpenBaoCluster, { apiServer }: PolicyInputs): NetworkPolicyEgressRule[] {
  const { dnsNamespace = 'kube-system' } = cluster.spec.network ?? {};
  return [
    { to: [namespacePeer(dnsNamespace)], ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] },
    ...apiServer,
    { to: [clusterPeer(cluster)], ports: serverPorts },
    ...derivedEgress(cluster),
  ];
}

const serverPorts = [tcp(apiPort), tcp(clusterPort)];

const clusterPeer = (cluster: OpenBaoCluster) => ({ podSelector: { matchLabels: labelsOf(cluster) } });

const operatorPeer = (namespace: string) => ({
  ...namespacePeer(namespace),
  podSelector: {
    matchLabels: { 'app.kubernetes.io/name': 'openbao-operator', 'app.kubernetes.io/component': 'controller' },
  },
});
