// SPDX-License-Identifier: Apache-2.0
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import type { ServerContext } from '../request/server-context.ts';
import { invokeWebhook } from './invoke-webhook.ts';
import { isExempt } from './is-exempt.ts';
import { matchWebhook } from './match-webhook.ts';

/** Calls all validating webhooks in parallel with the final object; throws the first denial in their order. */
export async function runValidatingWebhooks(attributes: AdmissionAttributes, server: ServerContext): Promise<void> {
  if (isExempt(attributes)) return;
  const webhooks = server.webhooks.validating();
  const invocations = webhooks.flatMap((webhook) => matchWebhook(webhook, attributes, server) ?? []);
  const answers = await Promise.allSettled(invocations.map((each) => invokeWebhook(attributes, each, server, false)));
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}
