// SPDX-License-Identifier: Apache-2.0
import { Deployment, Job } from '@forge/kube/builtin.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { timestamp } from '@forge/runtime/clock.ts';
import type { Controller } from '@forge/runtime/controller.ts';

/** Controllers that call every Deployment available and every Job complete, without pods. */
export function paperWorkloads(): Controller[] {
  return [
    paper(Deployment, ({ metadata, spec }) => {
      const replicas = spec?.replicas ?? 1;
      const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
      const conditions = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }];
      return { observedGeneration: metadata.generation, ...counts, conditions };
    }),
    paper(Job, (_, time) => {
      const stamps = { lastProbeTime: time, lastTransitionTime: time };
      const done = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', ...stamps }));
      return { startTime: time, completionTime: time, succeeded: 1, ready: 0, terminating: 0, conditions: done };
    }),
  ];
}

function paper<T extends KubeObject & { status?: object }>(
  kind: Kind<T>,
  statusOf: (object: T, time: string) => object,
): Controller {
  return {
    name: `paper-${kind.plural}`,
    for: kind,
    async reconcile(ref, { cache, client, clock, signal }) {
      const object = cache.get(kind, ref);
      if (object === undefined || Object.hasOwn(object.status ?? {}, 'conditions')) return undefined;
      const status = statusOf(object, timestamp(clock));
      await client.patch(kind, ref, 'merge', { status }, { subresource: 'status', signal });
      return undefined;
    },
  };
}
