// SPDX-License-Identifier: Apache-2.0
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { AccessControl } from './access/access-control.ts';
import type { CallWebhook } from './admission/call-webhook.ts';
import type { WebhookIndex } from './admission/webhook-index.ts';
import type { RequestMetrics } from './observability/request-metrics.ts';
import type { NodeConnector } from './proxy/node-connector.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import type { Surroundings } from './surroundings.ts';

/** What every part of the server works with. */
export interface ServerContext extends Surroundings, AccessControl {
  readonly log: Logger;
  readonly resources: ResourceRegistry;
  readonly nodes: NodeConnector;
  readonly webhooks: WebhookIndex;
  readonly callWebhook: CallWebhook;
  readonly metrics: RequestMetrics;
}
