// SPDX-License-Identifier: Apache-2.0
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { NodeConnector } from '../kubelet/node-connector.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { CoreContext } from '../resources/core-context.ts';
import type { CallWebhook } from '../webhooks/call-webhook.ts';
import type { WebhookIndex } from '../webhooks/webhook-index.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** What all parts of the server work with. */
export interface ServerContext extends CoreContext, AccessControl {
  readonly log: Logger;
  readonly resources: ResourceRegistry;
  readonly nodes: NodeConnector;
  readonly webhooks: WebhookIndex;
  readonly callWebhook: CallWebhook;
  readonly metrics: RequestMetrics;
}
