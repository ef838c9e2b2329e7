import type { AccessControl } from '@forge/apiserver/access/access-control.ts';
import type { RequestMetrics } from '@forge/apiserver/context/request-metrics.ts';
import type { NodeConnector } from '@forge/apiserver/kubelet/node-connector.ts';
import type { ResourceRegistry } from '@forge/apiserver/registry/resource-registry.ts';
import type { Surroundings } from '@forge/apiserver/resources/surroundings.ts';
import type { CallWebhook } from '@forge/apiserver/webhooks/call-webhook.ts';
import type { WebhookIndex } from '@forge/apiserver/webhooks/webhook-index.ts';
// SPDX-License-Identifier: Apache-2.0
import type { Logger } from '@forge/runtime/logging/logger.ts';

/** What every part of the server works with. */
export interface ServerContext extends Surroundings, AccessControl {
  readonly log: Logger;
  readonly resources: ResourceRegistry;
  readonly nodes: NodeConnector;
  readonly webhooks: WebhookIndex;
  readonly callWebhook: CallWebhook;
  readonly metrics: RequestMetrics;
}
