// SPDX-License-Identifier: Apache-2.0
import { ApiError, type Status } from '@forge/kube/errors/api-error.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { internalError } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import { type AdmissionResponse, patchOperationsOf, readAdmissionResponse } from './admission-response.ts';
import { reviewOf } from './admission-review.ts';
import { CallFailure } from './calls/call-failure.ts';
import type { WebhookResponse } from './calls/call-webhook.ts';
import { followRedirects, type Hop } from './calls/follow-redirects.ts';
import { readAnswer } from './calls/read-answer.ts';
import { authorityOf, pathOf, connectionTargetOf } from './calls/webhook-address.ts';
import type { Webhook } from './calls/webhook-index.ts';
import type { Invocation } from './match-webhook.ts';

/** Calls a webhook and returns its patch operations; throws when it denies the request, or fails and its policy is Fail. */
export async function invokeWebhook(
  attributes: AdmissionAttributes,
  invocation: Invocation,
  server: ServerContext,
  mutating: boolean,
): Promise<readonly unknown[]> {
  const { webhook } = invocation;
  const review = reviewOf(server.random.uuid(), attributes, invocation);
  try {
    const response = readAdmissionResponse(readAnswer(await call(webhook, review, server)), review, mutating);
    for (const warning of response.warnings ?? []) attributes.warn(warning);
    if (response.allowed !== true) throw denial(webhook.name, response);
    return patchOperationsOf(response);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (webhook.failurePolicy === 'Ignore') return [];
    throw internalError(`failed calling webhook "${webhook.name}": ${error.message}`);
  }
}

async function call(
  { clientConfig, timeoutSeconds = 10 }: Webhook,
  review: JsonObject,
  { store, clock, callWebhook }: ServerContext,
): Promise<WebhookResponse> {
  const { caBundle = '' } = clientConfig;
  const ca = caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString();
  const first: Hop = {
    method: 'POST',
    authority: authorityOf(clientConfig),
    path: `${pathOf(clientConfig)}?timeout=${timeoutSeconds}s`,
    body: JSON.stringify(review),
  };
  const end = new AbortController();
  const cancel = clock.after(timeoutSeconds * 1000, () => end.abort());
  try {
    return await followRedirects(first, async (hop) => {
      try {
        const place = connectionTargetOf(clientConfig, store);
        return await callWebhook({ ...hop, ...place, ca, signal: end.signal });
      } catch (error) {
        if (end.signal.aborted) throw new Error('context deadline exceeded', { cause: error });
        throw error;
      }
    });
  } finally {
    cancel();
  }
}

/** The webhook's denial; its status code is at least 400. */
function denial(name: string, { status: { code = 0, message, reason, ...rest } = {} }: AdmissionResponse): ApiError {
  const why = message || reason;
  const denied = `admission webhook "${name}" denied the request`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...rest,
    status: 'Failure',
    message: why === undefined ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason !== undefined && { reason }),
    code: Math.max(code, 400),
  } satisfies Status);
}
