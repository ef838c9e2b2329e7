// SPDX-License-Identifier: Apache-2.0
import { decodeBody } from './pipeline/decode-body.ts';
import { badRequest } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import { isDryRun } from './write-request.ts';

/** How an object shall be deleted. */
export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun: boolean;
}

const policies: readonly unknown[] = ['Background', 'Foreground', 'Orphan'];

/** Reads the options from the body, or from the query when there is no body. */
export async function deleteOptionsOf({ body, headers, query }: ResourceRequest): Promise<DeleteOptions> {
  const empty = body === undefined || (body instanceof Uint8Array && body.length === 0);
  const sent = empty
    ? query
    : await decodeBody(body, headers['content-type'] ?? 'application/json', ['application/json', 'application/yaml']);
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = (sent ?? {}) as Record<
    string,
    unknown
  >;
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    throw badRequest(
      `invalid propagationPolicy ${JSON.stringify(propagationPolicy)}: must be Background, Foreground or Orphan`,
    );
  }
  // Older callers say with a boolean what became a policy.
  const orphan =
    orphanDependents === undefined
      ? undefined
      : orphanDependents === true || orphanDependents === 'true'
        ? 'Orphan'
        : 'Background';
  const policy = (propagationPolicy as DeleteOptions['propagationPolicy']) ?? orphan;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(preconditions !== undefined && { preconditions: preconditions as NonNullable<DeleteOptions['preconditions']> }),
    dryRun: isDryRun({ ...query, ...(Array.isArray(dryRun) && { dryRun: String(dryRun[0]) }) }),
  };
}
