// SPDX-License-Identifier: Apache-2.0
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { inTurns, Turn } from '../matching/turn.ts';
import type { ServerContext } from '../request/server-context.ts';
import { invokeWebhook } from './invoke-webhook.ts';
import { isExempt } from './is-exempt.ts';
import { type Invocation, matchWebhook } from './match-webhook.ts';

/** Calls all validating webhooks in parallel with the final object; throws the first denial in their order. */
export async function runValidatingWebhooks(attributes: AdmissionAttributes, server: ServerContext): Promise<void> {
  if (isExempt(attributes)) return;
  const matching = inTurns(matchingWebhooks(attributes, server));
  const invocations = matching instanceof Promise ? await matching : matching;
  const answers = await Promise.allSettled(invocations.map((each) => invokeWebhook(attributes, each, server, false)));
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}

function* matchingWebhooks(attributes: AdmissionAttributes, server: ServerContext): Generator<void, Invocation[]> {
  const turn = new Turn();
  const invocations: Invocation[] = [];
  for (const webhook of server.webhooks.validating()) {
    const invocation = yield* matchWebhook(webhook, attributes, server, turn);
    if (invocation !== undefined) invocations.push(invocation);
  }
  return invocations;
}
