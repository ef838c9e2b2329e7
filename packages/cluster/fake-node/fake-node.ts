// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Lease, Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import type { Cache } from '@forge/runtime/cache/cache.ts';
import { watch, type Controller } from '@forge/runtime/controller/controller.ts';
import { manager, type ManagerOptions } from '@forge/runtime/controller/manager.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, now, seconds } from '@forge/runtime/environment/duration.ts';
import { isTerminal } from '../objects/pod-state.ts';
import { removeObject } from '../objects/remove-object.ts';
import { withCondition } from '../objects/with-condition.ts';
import { writeStatus } from '../objects/write-status.ts';
import { endedStatus, nextStatus, restartsOf, type PodBehavior } from './pod-status.ts';

/** Options of a fake node. */
export interface FakeNodeOptions extends ManagerOptions {
  /** Default `fake`. */
  name?: string;
  /** Called at every reconcile of a pod; `restarts` counts the restarts of its containers. */
  behavior?: (pod: Pod, restarts: number) => PodBehavior;
}

const heartbeat = seconds(10);

/** Starts a node that runs no processes: pods bound to it become ready immediately, or behave as configured. */
export async function startFakeNode(options: FakeNodeOptions): Promise<{ stop(): Promise<void> }> {
  const { name = 'fake', behavior = () => ({}) } = options;
  try {
    const metadata = { name, labels: { 'kubernetes.io/hostname': name } };
    await options.client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
  const running = manager(options);
  for (const controller of fakeNodeControllers(name, behavior)) running.add(controller);
  await running.start();
  return running;
}

/** The controllers of an existing fake node: they renew its Lease and update the status of its pods. */
export function fakeNodeControllers(name: string, behavior: NonNullable<FakeNodeOptions['behavior']>): Controller[] {
  return [heartbeatController(name), podController(name, behavior)];
}

/** Renews the node's Lease and reports the node as ready. */
function heartbeatController(name: string): Controller {
  return {
    name: 'fake-node',
    for: Node,
    async reconcile(ref, { cache, client, clock }) {
      const node = cache.get(Node, ref);
      if (node === undefined || ref.name !== name) return undefined;
      const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z');
      const metadata = { name, namespace: 'kube-node-lease' };
      const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
      if (cache.get(Lease, metadata) === undefined) {
        await client.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
      } else await client.patch(Lease, metadata, 'merge', { spec });
      const conditions = withCondition(node.status?.conditions, {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastTransitionTime: timestamp(clock),
      });
      await writeStatus(client, Node, node, { ...node.status, conditions });
      return heartbeat;
    },
  };
}

/** Updates the status of the node's pods according to their behavior. */
function podController(node: string, behaviorOf: NonNullable<FakeNodeOptions['behavior']>): Controller {
  let addresses = 1;

  /** An unused pod IP, also after a restart of this process. */
  function freeAddress(cache: Cache): string {
    const taken = new Set(cache.list(Pod).map(({ status }) => status?.podIP));
    for (;;) {
      const address = `10.244.${addresses >> 8}.${addresses++ & 255}`;
      if (!taken.has(address)) return address;
    }
  }

  return {
    name: 'fake-kubelet',
    for: Pod,
    // Every heartbeat reconciles all pods of the node: their behavior may have changed.
    watches: [watch(Lease, ({ metadata }, { cache }) => (metadata.name === node ? podsOn(node, cache) : []))],
    async reconcile(ref, { cache, client, clock }) {
      const pod = cache.get(Pod, ref);
      if (pod?.spec?.nodeName !== node) return undefined;
      const behavior = behaviorOf(pod, restartsOf(pod));
      const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
      if (deletionTimestamp !== undefined) {
        const left = Date.parse(deletionTimestamp) - seconds(grace) + (behavior.terminationDelay ?? now) - clock.now();
        if (left > 0) return milliseconds(left);
        if (!isTerminal(pod)) await writeStatus(client, Pod, pod, endedStatus(pod, { code: 137 }, clock));
        else if (grace > 0) await removeObject(client, Pod, pod, { gracePeriodSeconds: 0 });
        return undefined;
      }
      if (isTerminal(pod)) return undefined;
      const podIP = pod.status?.podIP ?? freeAddress(cache);
      const { status, recheck } = nextStatus(pod, behavior, clock);
      await writeStatus(client, Pod, pod, { ...status, podIP, podIPs: [{ ip: podIP }] });
      return recheck;
    },
  };
}

function podsOn(node: string, cache: Cache): ObjectRef[] {
  return cache
    .list(Pod)
    .filter(({ spec }) => spec?.nodeName === node)
    .map(refOf);
}
