// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import { invalidStatus } from '@forge/kube/errors/invalid-status.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { jsonDiff } from '@forge/kube/patch/json-diff.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import type { Webhook, WebhookContext } from './webhook.ts';

/** The two admission phases. */
export type AdmissionPhase = 'mutate' | 'validate';

/** The response of a webhook. Deletions are allowed: an operator that is down must not block them. */
export async function answerReview(
  webhook: Webhook,
  turn: AdmissionPhase,
  request: AdmissionRequest,
  context: Omit<WebhookContext, 'user'>,
): Promise<AdmissionResponse> {
  const { uid, object, oldObject, userInfo } = request;
  if (object === undefined || object === null) return { uid, allowed: true };
  const user = { username: userInfo.username ?? '', groups: userInfo.groups ?? [] };
  if (turn === 'mutate') {
    // The webhook may modify its argument, and may set fields to undefined, which JSON drops.
    const filled = (await webhook.default?.(structuredClone(object), { ...context, user })) ?? object;
    const patch = jsonDiff(object, JSON.parse(JSON.stringify(filled)));
    if (patch.length === 0) return { uid, allowed: true };
    return { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  }
  if (oldObject && isTerminatingOrReleased(oldObject, object)) return { uid, allowed: true };
  const result = await webhook.validate?.(object, oldObject ?? undefined, { ...context, user });
  const { failure, errors = [], warnings = [] } = result ?? {};
  return {
    uid,
    allowed: failure === undefined && errors.length === 0,
    ...(errors.length > 0 && { status: invalidStatus(webhook.kind, request.name ?? object.metadata.name, errors) }),
    ...(failure !== undefined && { status: internalErrorStatus(failure) }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The Status as Kubernetes words it. */
function internalErrorStatus(failure: string): Status {
  const message = `Internal error occurred: ${failure}`;
  const common = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure' } as const;
  return { ...common, message, reason: 'InternalError', code: 500, details: { causes: [{ message: failure }] } };
}

/** Whether the object is terminating, or only its finalizers or owners change: an old, invalid object must be deletable. */
function isTerminatingOrReleased(before: KubeObject, after: KubeObject): boolean {
  return before.metadata.deletionTimestamp !== undefined || jsonEqual(validatedPart(before), validatedPart(after));
}

function validatedPart({ metadata, ...rest }: KubeObject): object {
  const { finalizers: _, ownerReferences: _owners, managedFields: _managers, ...others } = metadata;
  return { ...rest, metadata: others };
}
