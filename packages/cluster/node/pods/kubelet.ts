// SPDX-License-Identifier: Apache-2.0
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { listAndWatch } from '@forge/runtime/cache/list-and-watch.ts';
import { objectStore } from '@forge/runtime/cache/object-store.ts';
import { selecting } from '../../objects/watched-objects.ts';
import type { PodContext } from './pod-context.ts';
import { podWorker, type PodWorker } from './pod-worker.ts';
import { removeOrphanedLogs } from './remove-orphaned-logs.ts';

/** The node's pods. */
export interface Kubelet {
  /** Undefined when the pod is not on this node. */
  pod(namespace: string, name: string): Pick<PodWorker, 'log' | 'running' | 'networkNamespace'> | undefined;
  /** Stops all pods, each within at most this many milliseconds. */
  stop(maxGrace: number): Promise<void>;
}

/**
 * Runs every pod bound to the node, until the signal aborts.
 *
 * Resolves when the status of all pods is accurate: after a restart of the node it still lists old containers.
 */
export async function startKubelet(node: string, context: PodContext, signal: AbortSignal): Promise<Kubelet> {
  const workers = new Map<string, PodWorker>();
  const store = objectStore<Pod>(new Set());
  store.onChange(({ before, after }) => {
    const uid = (after ?? before)?.metadata.uid ?? '';
    const worker = workers.get(uid);
    if (!after) {
      workers.delete(uid);
      void worker?.remove().catch((error: Error) => context.log.error('cannot clean up a deleted pod', { error }));
    } else if (worker) worker.update(after);
    else {
      const started = podWorker(after, context);
      workers.set(uid, started);
      if (after.metadata.deletionTimestamp !== undefined) started.update(after);
    }
  });
  const client = selecting(context.client, `spec.nodeName=${node}`);
  await new Promise<void>((resolve) => {
    void listAndWatch({
      ...context,
      client,
      kind: Pod,
      namespace: undefined,
      store,
      onListed: () => resolve(),
      signal,
    });
  });
  await removeOrphanedLogs(context.logsDir, () => store.list());
  await Promise.all([...workers.values()].map(({ statusReported }) => statusReported));

  return {
    pod: (namespace, name) => workers.get(store.get({ namespace, name })?.metadata.uid ?? ''),
    async stop(maxGrace) {
      await Promise.all([...workers.values()].map((worker) => worker.end(maxGrace)));
    },
  };
}
