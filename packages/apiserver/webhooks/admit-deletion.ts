// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { optionsOf } from '../matching/admission-attributes.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { admitRequest } from './admit-request.ts';

/** Runs the webhooks for a deletion; throws when one denies it. */
export function admitDeletion(
  server: ServerContext,
  request: ResourceRequest,
  before: KubeObject,
  { dryRun, gracePeriodSeconds: requested, ...options }: DeleteOptions,
): Promise<void> {
  return admitRequest(server, request, () => {
    // Webhooks see the effective grace period.
    const gracePeriodSeconds = request.resource.strategy.gracePeriod?.(before, requested) ?? requested;
    return {
      operation: 'DELETE',
      object: undefined,
      before,
      dryRun,
      options: () =>
        optionsOf('DeleteOptions', { ...options, gracePeriodSeconds, dryRun: dryRun ? ['All'] : undefined }),
    };
  });
}
