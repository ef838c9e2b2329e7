// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@forge/kube/client/client.ts';
import { ApiError, isApiError } from '@forge/kube/errors/api-error.ts';
import type { PodStatus } from '@forge/kube/generated/types.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { PodFacts } from './pod-facts.ts';
import { podStatus } from './pod-status.ts';

/** Writes a pod's status when it changes. */
export function statusReporter(bound: Pod, { client, clock, log }: { client: Client; clock: Clock; log: Logger }) {
  let reported: PodStatus | undefined = bound.status;
  return {
    /** The last written status. */
    get reported(): PodStatus | undefined {
      return reported;
    },

    /** Writes the resulting status; returns false when the API server could not be reached. */
    async report(facts: Omit<PodFacts, 'before' | 'now'>): Promise<boolean> {
      const status = podStatus({ ...facts, before: reported, now: timestamp(clock) });
      if (isDeepStrictEqual(status, reported)) return true;
      // The uid is included: a new pod of the same name must not be updated.
      const patch = { metadata: { uid: bound.metadata.uid }, status };
      try {
        await client.patch(Pod, refOf(bound), 'merge', patch, { subresource: 'status' });
        reported = status;
        return true;
      } catch (error) {
        if (isApiError(error, 'NotFound', 'Conflict') || isReplaced(error)) return true;
        log.warn("cannot write the pod's status; retrying", { error });
        return false;
      }
    },
  };
}

/** Whether the patch was rejected because another pod now has the name. */
function isReplaced(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false;
}
