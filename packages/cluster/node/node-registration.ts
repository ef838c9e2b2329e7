// SPDX-License-Identifier: Apache-2.0
import { release } from 'node:os';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { NodeCondition, NodeStatus } from '@forge/kube/generated/types.ts';
import { Lease, Node } from '@forge/kube/kinds/builtin.ts';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { sleep, timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { machineResources } from '../host/machine-resources.ts';
import { withCondition } from '../objects/with-condition.ts';
import { addresses } from './network/addresses.ts';

const heartbeat = seconds(10);

/** The condition that reports whether a node enforces NetworkPolicies. */
export const networkPolicyEnforced = 'NetworkPolicyEnforced';

interface RegistrationOptions {
  name: string;
  enforcesPolicies: boolean;
  client: Client;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Creates the Node object and reports it as ready; then renews its Lease, and restores the Ready condition when it is
 * changed by others.
 */
export async function registerNode(options: RegistrationOptions): Promise<void> {
  await reportReady(options);
  void keepAlive(options);
}

async function keepAlive(options: RegistrationOptions): Promise<void> {
  const { clock, log, signal } = options;
  while (!signal.aborted) {
    try {
      await renewLease(options);
      await reportReady(options);
    } catch (error) {
      log.warn("cannot renew the node's Lease; retrying", { error });
    }
    await sleep(clock, heartbeat, signal).catch(() => undefined);
  }
}

async function reportReady({ name, client, clock, enforcesPolicies }: RegistrationOptions): Promise<void> {
  const node = (await client.find(Node, { name })) ?? (await create(client, name));
  const before = node.status?.conditions;
  const time = timestamp(clock);
  const conditions = [ready, enforcement(enforcesPolicies)].reduce<NodeCondition[]>(
    (list, condition) => withCondition(list, { ...condition, lastHeartbeatTime: time, lastTransitionTime: time }),
    before ?? [],
  );
  const unchanged = before?.length === conditions.length && conditions.every((one, index) => one === before[index]);
  if (unchanged) return;
  await client.patch(Node, { name }, 'merge', { status: nodeStatus(conditions) }, { subresource: 'status' });
}

const ready: NodeCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'KubeletReady',
  message: 'kubelet is posting ready status',
};

function enforcement(enforcesPolicies: boolean): NodeCondition {
  const type = networkPolicyEnforced;
  if (enforcesPolicies) {
    return { type, status: 'True', reason: 'PacketFilter', message: 'nftables enforces NetworkPolicies' };
  }
  const message = "nftables cannot be used in the node's namespaces; the log of the node has the error";
  return { type, status: 'False', reason: 'NoPacketFilter', message };
}

async function create(client: Client, name: string): Promise<Node> {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  try {
    return await client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {} });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    return client.get(Node, { name });
  }
}

function nodeStatus(conditions: NonNullable<NodeStatus['conditions']>): NodeStatus {
  const resources = { ...machineResources(), pods: '110' };
  return {
    capacity: resources,
    allocatable: resources,
    conditions,
    addresses: [{ type: 'InternalIP', address: addresses.node }],
    daemonEndpoints: { kubeletEndpoint: { Port: addresses.kubeletPort } },
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: release(),
      osImage: 'Forge process node',
      containerRuntimeVersion: 'forge://0',
      kubeletVersion: kubernetesVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

async function renewLease({ name, client, clock }: RegistrationOptions): Promise<void> {
  // Lease times have microseconds.
  const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z');
  const ref = { namespace: 'kube-node-lease', name };
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
  try {
    await client.patch(Lease, ref, 'merge', { spec });
  } catch (error) {
    if (!isApiError(error, 'NotFound')) throw error;
    await client.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: ref, spec });
  }
}
