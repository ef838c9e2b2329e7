// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { Namespace, NetworkPolicy, type Pod } from '@forge/kube/kinds/builtin.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import type { EventRecorder } from '@forge/runtime/events/event-recorder.ts';
import type { WatchContext } from '../../objects/watched-objects.ts';
import type { FilterTable } from '../network/filter-table.ts';
import { oncePerBurst } from '../network/once-per-burst.ts';
import { allowedTraffic, type NetworkPod } from './allowed-traffic.ts';
import { dnsPod } from './dns-pod.ts';
import { enforceable, policyProblem } from './enforceable.ts';
import { policyRules } from './policy-rules.ts';

/** The NetworkPolicies of the cluster, enforced for the pods of this node. */
export interface NetworkPolicies {
  /** Enforces them for a pod at this address; resolves when they are in force. */
  protect(pod: Pod, address: string): Promise<void>;
  /** Updates the labels of a pod. */
  update(pod: Pod): void;
  /** Removes a pod whose network is removed. */
  forget(podUid: string): void;
}

const retryDelay = 1000;

/** Watches policies, namespaces and pods; resolves when the existing policies are known. */
export async function networkPolicies(
  table: FilterTable,
  context: WatchContext & { event: EventRecorder },
  signal: AbortSignal,
): Promise<NetworkPolicies> {
  const cache = sharedCache({ ...context, fieldManagers: new Set() });
  const pods = new Map<string, NetworkPod>();

  function enforce(): Promise<void> {
    const [policies, namespaces] = [cache.list(NetworkPolicy).map(enforceable), cache.list(Namespace)];
    return table.update(policyRules(allowedTraffic({ pods: [dnsPod, ...pods.values()], namespaces, policies })));
  }

  const changed = oncePerBurst(() => {
    enforce().catch((error: Error) => {
      context.log.error('NetworkPolicies cannot be enforced; retrying', { error });
      context.clock.after(retryDelay, changed);
    });
  });

  cache.open(NetworkPolicy).onChange(({ after }) => {
    const message = after && policyProblem(after);
    if (message) void context.event(after, { type: 'Warning', reason: 'PolicyTooLarge', message });
    changed();
  });
  cache.open(Namespace).onChange(changed);
  await cache.start(signal);
  return {
    protect(pod, address) {
      pods.set(uidOf(pod), networkPod(pod, address));
      return enforce();
    },
    update(pod) {
      const known = pods.get(uidOf(pod));
      // Most updates change only the status; of the relevant fields, only labels can change.
      if (!known || isDeepStrictEqual(known.metadata.labels, pod.metadata.labels)) return;
      pods.set(uidOf(pod), networkPod(pod, known.address));
      changed();
    },
    forget(podUid) {
      pods.delete(podUid);
      changed();
    },
  };
}

const uidOf = ({ metadata }: Pod) => metadata.uid ?? '';

function networkPod({ metadata, spec }: Pod, address: string): NetworkPod {
  return { metadata, ...(spec && { spec }), address };
}
