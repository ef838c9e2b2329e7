// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicyPeer, NetworkPolicyPort } from '@forge/kube/generated/types.ts';
import type { Namespace, NetworkPolicy, Pod } from '@forge/kube/kinds/builtin.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { containerPort } from '../../objects/container-port.ts';
import { ipv4Block, type Ipv4Block } from './ipv4-block.ts';

/** A pod in the network: who it is, what its ports are called, and where it is reached. */
export interface NetworkPod extends Pick<Pod, 'metadata' | 'spec'> {
  address: string;
}

/** What decides about traffic. */
export interface PolicyInputs {
  pods: readonly NetworkPod[];
  namespaces: readonly Namespace[];
  policies: readonly NetworkPolicy[];
}

/** Traffic with these peers, on these ports of who is connected to. */
export interface Allowance {
  /** Undefined for everybody. */
  peers?: { addresses: readonly string[]; blocks: readonly Ipv4Block[] };
  /** Undefined for all traffic, whatever its protocol. */
  ports?: readonly PortRange[];
}

/** Ports of a protocol, both ends included. */
export interface PortRange {
  protocol: string;
  from: number;
  to: number;
}

/** What a pod may receive and send; everything where undefined. */
export interface PodTraffic {
  ingress?: readonly Allowance[];
  egress?: readonly Allowance[];
}

/**
 * The traffic that the policies allow, by the address of each pod that one of them selects. A policy that selects a pod
 * for a direction takes everything away that none allows.
 */
export function allowedTraffic(inputs: PolicyInputs): Map<string, PodTraffic> {
  const traffic = new Map<string, PodTraffic>();
  for (const { metadata, spec = {} } of inputs.policies) {
    const {
      podSelector = {},
      ingress = [],
      egress = [],
      policyTypes = egress.length > 0 ? both : both.slice(0, 1),
    } = spec;
    const peersOf = (peers: readonly NetworkPolicyPeer[] | undefined) => findPeers(peers, metadata.namespace, inputs);
    const sources = ingress.map(({ from, ports }) => ({ peers: peersOf(from), ports }));
    const targets = egress.flatMap(({ to, ports }) => outgoing(peersOf(to), ports, inputs.pods));
    for (const pod of inputs.pods.filter((each) => isSelected(each, metadata.namespace, podSelector))) {
      const known = traffic.get(pod.address) ?? {};
      traffic.set(pod.address, {
        ...known,
        ...(policyTypes.includes('Ingress') && {
          ingress: [...(known.ingress ?? []), ...sources.flatMap(({ peers, ports }) => incoming(peers, ports, pod))],
        }),
        ...(policyTypes.includes('Egress') && { egress: [...(known.egress ?? []), ...targets] }),
      });
    }
  }
  return traffic;
}

const both = ['Ingress', 'Egress'];

interface FoundPeers {
  pods: readonly NetworkPod[];
  blocks: readonly Ipv4Block[];
}

/** Undefined for everybody: an empty list of peers restricts nothing. */
function findPeers(
  peers: readonly NetworkPolicyPeer[] | undefined,
  home: string | undefined,
  { pods, namespaces }: PolicyInputs,
): FoundPeers | undefined {
  if (peers === undefined || peers.length === 0) return undefined;
  const selectors = peers.filter(({ ipBlock }) => ipBlock === undefined);
  const isPeer = (pod: NetworkPod) =>
    selectors.some(({ namespaceSelector, podSelector = {} }) => {
      if (namespaceSelector === undefined) return isSelected(pod, home, podSelector);
      const namespace = namespaces.find(({ metadata }) => metadata.name === pod.metadata.namespace);
      const isInside = namespace !== undefined && matchesLabelSelector(namespaceSelector, namespace.metadata.labels);
      return isInside && matchesLabelSelector(podSelector, pod.metadata.labels);
    });
  return { pods: pods.filter(isPeer), blocks: peers.flatMap(({ ipBlock }) => (ipBlock && ipv4Block(ipBlock)) ?? []) };
}

function isSelected(
  { metadata }: NetworkPod,
  namespace: string | undefined,
  selector: NetworkPolicyPeer['podSelector'],
) {
  return metadata.namespace === namespace && matchesLabelSelector(selector, metadata.labels);
}

type Ports = readonly NetworkPolicyPort[] | undefined;

/** Into a pod: the names of ports are its own. */
function incoming(peers: FoundPeers | undefined, ports: Ports, pod: NetworkPod): Allowance[] {
  const named = namedPorts(ports).flatMap((port) => rangeOf(port, pod));
  return allow(peers, ports && ports.length > 0 ? [...numberedPorts(ports), ...named] : undefined);
}

/** Out to peers: the name of a port has another number, or none, on each of them. */
function outgoing(peers: FoundPeers | undefined, ports: Ports, pods: readonly NetworkPod[]): Allowance[] {
  if (ports === undefined || ports.length === 0) return allow(peers, undefined);
  const named = namedPorts(ports).flatMap((port) =>
    (peers?.pods ?? pods).flatMap((pod) => allow({ pods: [pod], blocks: [] }, rangeOf(port, pod))),
  );
  return [...allow(peers, numberedPorts(ports)), ...named];
}

function allow(peers: FoundPeers | undefined, ports: readonly PortRange[] | undefined): Allowance[] {
  if (ports?.length === 0 || (peers?.pods.length === 0 && peers.blocks.length === 0)) return [];
  const found = peers && { addresses: peers.pods.map(({ address }) => address), blocks: peers.blocks };
  return [{ ...(found && { peers: found }), ...(ports && { ports }) }];
}

interface NamedPort extends NetworkPolicyPort {
  port: string;
}

function namedPorts(ports: Ports = []): NamedPort[] {
  return ports.filter((each): each is NamedPort => typeof each.port === 'string');
}

function rangeOf({ port, protocol = 'TCP' }: NamedPort, pod: NetworkPod): PortRange[] {
  const number = containerPort(pod, port, protocol);
  return number === undefined ? [] : [{ protocol, from: number, to: number }];
}

function numberedPorts(ports: readonly NetworkPolicyPort[]): PortRange[] {
  return ports.flatMap(({ port, endPort, protocol = 'TCP' }) => {
    if (typeof port === 'string') return [];
    return [{ protocol, from: port ?? 0, to: endPort ?? port ?? 65_535 }];
  });
}
