// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import type { Cache } from '@forge/runtime/cache/cache.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import { noMetrics } from '@forge/runtime/metrics/metrics.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { serveWebhooks } from '@forge/runtime/webhook/serve-webhooks.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import type { Webhook } from '@forge/runtime/webhook/webhook.ts';
import type { Credentials } from '../credentials/credentials.ts';

/** The webhooks of an operator, with its name. */
export interface WebhookSet {
  name: string;
  webhooks: readonly Webhook[];
}

/** Serves webhooks on a free loopback port, and tells the API server where. */
export async function startLocalWebhooks(
  { name, webhooks }: WebhookSet,
  context: {
    client: Client;
    cache: Cache;
    clock: Clock;
    log: Logger;
    credentials: Pick<Credentials, 'ca' | 'apiServer'>;
  },
): Promise<AsyncDisposable> {
  const { client, credentials } = context;
  // The API server's own certificate is for 127.0.0.1, too.
  const certificate = { current: () => credentials.apiServer, onChange() {} };
  const address = { host: '127.0.0.1', port: 0 };
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await serveWebhooks({ ...context, address, webhooks, certificate, metrics: noMetrics }));
  const url = `https://127.0.0.1:${server.port}`;
  const caBundle = Buffer.from(credentials.ca).toString('base64');
  const options = { fieldManager: 'forge', force: true };
  for (const each of webhookConfigurations(webhooks, { name, namespace: '', url, caBundle })) {
    if (each.kind === 'MutatingWebhookConfiguration') await client.apply(MutatingWebhookConfiguration, each, options);
    else await client.apply(ValidatingWebhookConfiguration, each, options);
  }
  return stack.move();
}
