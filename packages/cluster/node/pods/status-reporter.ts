// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { PodStatus } from '@forge/kube/generated/types.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import { timestamp, type Clock } from '@forge/runtime/time/clock.ts';
import type { PodFacts } from './pod-facts.ts';
import { podStatus } from './pod-status.ts';

/** Writes a pod's status whenever it changes, and only then. */
export function statusReporter(bound: Pod, { client, clock, log }: { client: Client; clock: Clock; log: Logger }) {
  let reported: PodStatus | undefined = bound.status;
  return {
    /** The status written last. */
    get reported(): PodStatus | undefined {
      return reported;
    },

    /** Writes the status these facts make up; false when the server could not be told. */
    async report(facts: Omit<PodFacts, 'before' | 'now'>): Promise<boolean> {
      const status = podStatus({ ...facts, before: reported, now: timestamp(clock) });
      if (isDeepStrictEqual(status, reported)) return true;
      // The uid goes along: a new pod of the same name is not ours to describe.
      const patch = { metadata: { uid: bound.metadata.uid }, status };
      try {
        await client.patch(Pod, refOf(bound), 'merge', patch, { subresource: 'status' });
        reported = status;
        return true;
      } catch (error) {
        if (isApiError(error, 'NotFound', 'Conflict')) return true;
        log.warn('cannot write the status of a pod', { error });
        return false;
      }
    },
  };
}
