// SPDX-License-Identifier: Apache-2.0
import { invalidStatus } from '@forge/kube/invalid-status.ts';
import { jsonDiff } from '@forge/kube/patch/json-diff.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import type { Webhook, WebhookContext } from './webhook.ts';

/** The two turns in which an API server asks: what is missing, then what is wrong. */
export type Turn = 'mutate' | 'validate';

/** Answers for a webhook. What is deleted passes: a dead operator must not keep a namespace from going. */
export async function answerReview(
  webhook: Webhook,
  turn: Turn,
  request: AdmissionRequest,
  context: Omit<WebhookContext, 'user'>,
): Promise<AdmissionResponse> {
  const { uid, object, oldObject, userInfo } = request;
  if (object === undefined || object === null) return { uid, allowed: true };
  const user = { username: userInfo.username ?? '', groups: userInfo.groups ?? [] };
  if (turn === 'mutate') {
    const filled = (await webhook.default?.(object, { ...context, user })) ?? object;
    const patch = jsonDiff(object, filled);
    if (patch.length === 0) return { uid, allowed: true };
    return { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  }
  const verdict = await webhook.validate?.(object, oldObject ?? undefined, { ...context, user });
  const { errors = [], warnings = [] } = verdict ?? {};
  return {
    uid,
    allowed: errors.length === 0,
    ...(errors.length > 0 && { status: invalidStatus(webhook.kind, request.name ?? object.metadata.name, errors) }),
    ...(warnings.length > 0 && { warnings }),
  };
}
