// SPDX-License-Identifier: Apache-2.0
import { saveStatus } from '@forge/cluster/stand-ins/save-status.ts';
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/time/duration.ts';

/** Plays the keystone operator: every Keystone is ready at once. */
export function playedKeystoneOperator(): StandIn {
  return {
    name: 'keystone-operator',
    kinds: [Keystone],
    controllers: [
      {
        name: 'keystone-controller',
        for: Keystone,
        async reconcile(ref, context) {
          const keystone = context.cache.get(Keystone, ref);
          if (keystone === undefined || keystone.metadata.deletionTimestamp !== undefined) return undefined;
          const { generation = 0 } = keystone.metadata;
          if (keystone.status?.observedGeneration === generation) return undefined;
          const lastTransitionTime = timestamp(context.clock);
          const text = { reason: 'AllReady', message: 'All sub-resources are ready' };
          const ready = { type: 'Ready', status: 'True', ...text, observedGeneration: generation } as const;
          const conditions = [{ ...ready, lastTransitionTime }];
          await saveStatus(
            Keystone,
            keystone,
            { ...keystone.status, observedGeneration: generation, conditions },
            context,
          );
          return undefined;
        },
      },
    ],
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}
