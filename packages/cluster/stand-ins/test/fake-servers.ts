// SPDX-License-Identifier: Apache-2.0
import { StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { milliseconds, now, type Duration } from '@forge/runtime/environment/duration.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { serverLabel } from '../mariadb/server-objects.ts';

/**
 * Emulates the pods of servers: each StatefulSet becomes ready once per generation, after `startup`. After that, the
 * test may change its status.
 */
export function fakeServers(startup: () => Duration = () => now): Controller {
  return {
    name: 'fake-mariadb-server',
    for: StatefulSet,
    async reconcile(ref, { cache, client, clock }) {
      const set = cache.get(StatefulSet, ref);
      if (
        set?.spec?.template.metadata?.labels?.[serverLabel] !== 'mariadb' ||
        set.metadata.deletionTimestamp !== undefined
      ) {
        return undefined;
      }
      const { generation = 1, creationTimestamp = '' } = set.metadata;
      if (set.status?.observedGeneration === generation) return undefined;
      const left = Date.parse(creationTimestamp) + startup() - clock.now();
      if (left > 0) return milliseconds(left);
      const replicas = set.spec.replicas ?? 1;
      const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, currentReplicas: replicas };
      await writeStatus(client, StatefulSet, set, { ...set.status, ...counts, observedGeneration: generation });
      return undefined;
    },
  };
}
