// SPDX-License-Identifier: Apache-2.0
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { NodeConnector } from '../kubelet/node-connector.ts';
import type { PolicyIndex } from '../policies/compiled/policy-index.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { CoreContext } from '../resources/core-context.ts';
import type { EncodedEvents } from '../storage/encoded-events.ts';
import type { CallWebhook } from '../webhooks/calls/call-webhook.ts';
import type { WebhookIndex } from '../webhooks/calls/webhook-index.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { TurnsOfUsers } from './turns-of-users.ts';

/** State and services shared by all parts of the server. */
export interface ServerContext extends CoreContext, AccessControl {
  readonly log: Logger;
  readonly resources: ResourceRegistry;
  readonly nodes: NodeConnector;
  readonly policies: PolicyIndex;
  readonly webhooks: WebhookIndex;
  readonly callWebhook: CallWebhook;
  readonly metrics: RequestMetrics;
  /** Shared by all watches. */
  readonly events: EncodedEvents;
  readonly turns: TurnsOfUsers;
}
