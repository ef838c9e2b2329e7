// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Manager } from '../controller/manager.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { CertificateSource } from '../webhook/certificate-source.ts';
import { fileCertificate } from '../webhook/file-certificate.ts';
import { managedCertificate } from '../webhook/managed-certificate.ts';
import { serveWebhooks } from '../webhook/serve-webhooks.ts';
import type { Webhook } from '../webhook/webhook.ts';
import type { OperatorOptions } from './operator-flags.ts';
import type { ProcessHost } from './process-host.ts';
import { requireNamespace } from './require-namespace.ts';

/** Serves the webhooks, on leaders and others alike. */
export async function startWebhooks(
  { name, webhooks = [] }: { name: string; webhooks?: readonly Webhook[] },
  options: OperatorOptions,
  context: ProcessHost & { api: Client; log: Logger; metrics: Metrics; own: string | undefined; running: Manager },
): Promise<AsyncDisposable> {
  const { webhookBindAddress: address, webhookCertDir, webhookService } = options;
  await using stack = new AsyncDisposableStack();
  if (address === undefined || webhooks.length === 0) return stack.move();
  const { api, clock, log, metrics, own, running } = context;
  // Stops the file checks however startup or shutdown ends.
  const looking = new AbortController();
  stack.defer(() => looking.abort());
  const source = (): CertificateSource => {
    const managed = managedCertificate({
      name: webhookService || name,
      namespace: requireNamespace('certificates of webhooks', own, ', or serve none with --enable-webhooks=false'),
      address: address.host,
    });
    running.add(managed.controller);
    return managed.source(running.cache);
  };
  const certificate =
    webhookCertDir === '' ? source() : await fileCertificate(webhookCertDir, { ...context, signal: looking.signal });
  const { cache } = running;
  const server = stack.use(
    await serveWebhooks({ address, webhooks, certificate, client: api, cache, clock, log, metrics }),
  );
  log.info('serving webhooks', { webhookPort: server.port });
  return stack.move();
}
