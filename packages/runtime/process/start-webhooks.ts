// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Manager } from '../controller/manager.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { serveWebhooks } from '../webhook/serve-webhooks.ts';
import { webhookCertificate } from '../webhook/webhook-certificate.ts';
import type { Webhook } from '../webhook/webhook.ts';
import type { OperatorOptions } from './operator-flags.ts';
import type { ProcessHost } from './process-host.ts';
import { requireNamespace } from './require-namespace.ts';
import { servingCertificate } from './serving-certificate.ts';

/** Serves the webhooks, on leaders and others alike. */
export async function startWebhooks(
  { name, webhooks = [] }: { name: string; webhooks?: readonly Webhook[] },
  options: OperatorOptions,
  context: ProcessHost & {
    api: Client;
    log: Logger;
    metrics: Metrics;
    own: string | undefined;
    running: Manager;
    signal: AbortSignal;
  },
): Promise<AsyncDisposable> {
  const { webhookBindAddress: address, webhookCertDir, webhookService } = options;
  await using stack = new AsyncDisposableStack();
  if (address === undefined || webhooks.length === 0) return stack.move();
  const { api, clock, log, metrics, own, running } = context;
  const managed = () =>
    webhookCertificate({
      name: webhookService || name,
      namespace: requireNamespace('certificates of webhooks', own, ', or serve none with --enable-webhooks=false'),
      address: address.host,
    });
  const certificate = await servingCertificate(webhookCertDir, managed, context);
  const { cache } = running;
  const server = stack.use(
    await serveWebhooks({ address, webhooks, certificate, client: api, cache, clock, log, metrics }),
  );
  log.info('serving webhooks', { webhookPort: server.port });
  return stack.move();
}
