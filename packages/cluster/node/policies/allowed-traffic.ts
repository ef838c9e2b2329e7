// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicyPeer, NetworkPolicyPort } from '@forge/kube/generated/types.ts';
import type { Namespace, NetworkPolicy, Pod } from '@forge/kube/kinds/builtin.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { containerPort } from '../../objects/container-port.ts';
import { blockRanges, numberOf } from './ipv4.ts';
import { merged, type Range } from './ranges.ts';

/** A pod in the network: its metadata, the names of its ports, and its address. */
export interface NetworkPod extends Pick<Pod, 'metadata' | 'spec'> {
  address: string;
}

/** The objects that determine the allowed traffic. */
export interface PolicyInputs {
  pods: readonly NetworkPod[];
  namespaces: readonly Namespace[];
  policies: readonly NetworkPolicy[];
}

/** Allowed traffic: with these peers, to these ports of the receiver. */
export interface Allowance {
  /** Ranges of addresses as numbers; undefined for all peers. */
  peers?: readonly Range[];
  /** Undefined for all ports and protocols. */
  ports?: readonly PortRange[];
}

/** Ports of a protocol. */
export interface PortRange extends Range {
  protocol: string;
}

/** The traffic that a pod may receive and send; undefined for all. */
export interface PodTraffic {
  ingress?: Allowance[];
  egress?: Allowance[];
}

const both = ['Ingress', 'Egress'];

/**
 * The traffic that the policies allow, by the address of each pod that one of them selects. When a policy selects a pod
 * for a direction, only the traffic that some policy allows is allowed in that direction.
 */
export function allowedTraffic({ pods, namespaces, policies }: PolicyInputs): Map<string, PodTraffic> {
  const traffic = new Map<string, PodTraffic>();
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  for (const { metadata, spec = {} } of policies) {
    const { podSelector = {}, ingress = [], egress = [] } = spec;
    const { policyTypes = egress.length > 0 ? both : both.slice(0, 1) } = spec;
    const peersOf = (peers: readonly NetworkPolicyPeer[] | undefined) =>
      findPeers(peers, metadata.namespace, { pods, labels });
    const sources = ingress.map(({ from, ports }) => incoming(peersOf(from), ports));
    const targets = egress.flatMap(({ to, ports }) => outgoing(peersOf(to), ports, pods));
    for (const pod of pods.filter((each) => isSelected(each, metadata.namespace, podSelector))) {
      const known = traffic.get(pod.address) ?? {};
      traffic.set(pod.address, known);
      if (policyTypes.includes('Ingress')) {
        known.ingress ??= [];
        for (const allowancesOf of sources) known.ingress.push(...allowancesOf(pod));
      }
      if (policyTypes.includes('Egress')) {
        known.egress ??= [];
        known.egress.push(...targets);
      }
    }
  }
  return traffic;
}

interface FoundPeers {
  pods: readonly NetworkPod[];
  blocks: readonly Range[];
}

/** Undefined for all peers: an empty list of peers restricts nothing. */
function findPeers(
  peers: readonly NetworkPolicyPeer[] | undefined,
  home: string | undefined,
  { pods, labels }: { pods: readonly NetworkPod[]; labels: ReadonlyMap<string, Readonly<Record<string, string>>> },
): FoundPeers | undefined {
  if (peers === undefined || peers.length === 0) return undefined;
  const selectors = peers.filter(({ ipBlock }) => ipBlock === undefined);
  const isPeer = (pod: NetworkPod) =>
    selectors.some(({ namespaceSelector, podSelector = {} }) => {
      if (namespaceSelector === undefined) return isSelected(pod, home, podSelector);
      const found = labels.get(pod.metadata.namespace ?? '');
      const isInside = found !== undefined && matchesLabelSelector(namespaceSelector, found);
      return isInside && matchesLabelSelector(podSelector, pod.metadata.labels);
    });
  return { pods: pods.filter(isPeer), blocks: peers.flatMap(({ ipBlock }) => (ipBlock ? blockRanges(ipBlock) : [])) };
}

function isSelected(
  { metadata }: NetworkPod,
  namespace: string | undefined,
  selector: NetworkPolicyPeer['podSelector'],
) {
  return metadata.namespace === namespace && matchesLabelSelector(selector, metadata.labels);
}

type Ports = readonly NetworkPolicyPort[] | undefined;

/** For ingress, named ports are those of the pod itself. Without named ports, the result is the same for all pods. */
function incoming(peers: FoundPeers | undefined, ports: Ports = []): (pod: NetworkPod) => Allowance[] {
  const numbered = numberedPorts(ports);
  if (numbered.length < ports.length) return (pod) => allow(peers, [...numbered, ...namedPorts(ports, pod)]);
  const same = allow(peers, ports.length > 0 ? numbered : undefined);
  return () => same;
}

/** For egress, a named port can have a different number, or none, on each peer. */
function outgoing(peers: FoundPeers | undefined, ports: Ports, pods: readonly NetworkPod[]): Allowance[] {
  if (ports === undefined || ports.length === 0) return allow(peers, undefined);
  const named = (peers?.pods ?? pods).flatMap((pod) => allow({ pods: [pod], blocks: [] }, namedPorts(ports, pod)));
  return [...allow(peers, numberedPorts(ports)), ...named];
}

function allow(peers: FoundPeers | undefined, ports: readonly PortRange[] | undefined): Allowance[] {
  const found = peers && [...peers.pods.map(({ address }) => rangeAt(numberOf(address))), ...peers.blocks];
  if (ports?.length === 0 || found?.length === 0) return [];
  return [{ ...(found && { peers: merged(found) }), ...(ports && { ports }) }];
}

function namedPorts(ports: readonly NetworkPolicyPort[], pod: NetworkPod): PortRange[] {
  return ports.flatMap(({ port, protocol = 'TCP' }) => {
    const number = typeof port === 'string' ? containerPort(pod, port, protocol) : undefined;
    return number === undefined ? [] : [{ protocol, ...rangeAt(number) }];
  });
}

function numberedPorts(ports: readonly NetworkPolicyPort[]): PortRange[] {
  return ports.flatMap(({ port = 0, endPort, protocol = 'TCP' }) => {
    if (typeof port === 'string') return [];
    return [{ protocol, from: port, to: endPort ?? (port === 0 ? 65_535 : port) }];
  });
}

const rangeAt = (number: number): Range => ({ from: number, to: number });
