// SPDX-License-Identifier: Apache-2.0
import { invalidValue, unsupported, type FieldError } from '@forge/kube/errors/field-error.ts';
import { decodeBody } from '../encoding/decode-body.ts';
import { booleanOf, integerOf } from '../messages/query-values.ts';
import { badRequest, invalid } from '../messages/status-errors.ts';
import type { ResourceRequest } from './resource-request.ts';
import { dryRunProblems } from './write-options.ts';

/** Options of a delete. */
export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun: boolean;
}

/** Reads DeleteOptions from the body, or from the query when there is no body. */
export async function deleteOptionsOf(request: ResourceRequest): Promise<DeleteOptions> {
  const { body, query } = request;
  const isEmpty = body === undefined || (body instanceof Uint8Array && body.length === 0);
  const sent = isEmpty ? fromQuery(query) : ((await decodeBody(request)).value as SentOptions | null);
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun = [] } = sent ?? {};
  checkKind(sent ?? {});
  if (gracePeriodSeconds !== undefined && typeof gracePeriodSeconds !== 'number') {
    const into = 'Go struct field DeleteOptions.gracePeriodSeconds of type int64';
    throw badRequest(`json: cannot unmarshal ${typeof gracePeriodSeconds} into ${into}`);
  }
  const errors = [...policyProblems(sent ?? {}), ...dryRunProblems(dryRun)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  // Older clients send orphanDependents instead of a policy.
  const old = orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
  const policy = propagationPolicy ?? old;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(policy !== undefined && { propagationPolicy: policy as NonNullable<DeleteOptions['propagationPolicy']> }),
    ...(preconditions !== undefined && { preconditions }),
    dryRun: dryRun.length > 0,
  };
}

/** The options as sent, unvalidated. */
interface SentOptions extends Pick<DeleteOptions, 'preconditions'> {
  kind?: string;
  apiVersion?: string;
  gracePeriodSeconds?: unknown;
  propagationPolicy?: string;
  orphanDependents?: boolean;
  dryRun?: readonly string[];
}

function checkKind({ kind = 'DeleteOptions', apiVersion = 'meta.k8s.io/v1' }: SentOptions): void {
  if (kind === 'DeleteOptions') return;
  const known = `is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  throw badRequest(`no kind ${JSON.stringify(kind)} ${known}`);
}

function fromQuery(query: ResourceRequest['query']): SentOptions {
  const {
    gracePeriodSeconds,
    propagationPolicy,
    orphanDependents,
    dryRun = '',
  } = query as Record<string, string | undefined>;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: integerOf(gracePeriodSeconds) }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents: booleanOf(orphanDependents) }),
    ...(dryRun !== '' && { dryRun: [dryRun] }),
  };
}

const policies = ['Foreground', 'Background', 'Orphan'];

function* policyProblems({ propagationPolicy: policy, orphanDependents }: SentOptions): Generator<FieldError> {
  if (policy === undefined) return;
  if (orphanDependents !== undefined) {
    yield invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set');
  }
  if (!policies.includes(policy)) yield unsupported('propagationPolicy', policy, [...policies, 'nil']);
}
