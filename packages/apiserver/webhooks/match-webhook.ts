// SPDX-License-Identifier: Apache-2.0
import { scopeOf } from '../cel/evaluate/scope.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { admissionValues } from '../matching/admission-values.ts';
import { matchConditions } from '../matching/match-conditions.ts';
import { matchedVersion, selectsNamespace, selectsObject } from '../matching/match-rules.ts';
import type { Turn } from '../matching/turn.ts';
import { forbidden } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Webhook } from './calls/webhook-index.ts';

/** A matching webhook, and the resource version it expects. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly version: string;
}

/** Matches a webhook against a request; undefined when it does not match. Yields when others should be served. */
export function* matchWebhook(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  { store, authorizer }: ServerContext,
  turn: Turn,
): Generator<void, Invocation | undefined> {
  if (!selectsObject(webhook, attributes)) return undefined;
  const version = matchedVersion(webhook.rules ?? [], webhook, attributes, store);
  if (version === undefined || !selectsNamespace(webhook, attributes, store)) return undefined;
  const { failurePolicy } = webhook;
  const conditions = yield* turn.compile(webhook.conditions);
  const scope = () => scopeOf(admissionValues(attributes, version, authorizer));
  const matches = yield* matchConditions(conditions, scope, turn);
  if (typeof matches === 'boolean') return matches ? { webhook, version } : undefined;
  if (failurePolicy === 'Ignore') return undefined;
  throw forbidden(attributes.resource.kind, attributes.name, matches.message);
}
