// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Client } from '@forge/kube/client/client.ts';
import type { Cache } from '../cache/cache.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { followCertificate, tlsOptions } from '../certificates/follow-certificate.ts';
import type { Clock } from '../environment/clock.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { AdmissionReview } from './admission-review.ts';
import { answerReview, type AdmissionPhase } from './answer-review.ts';
import { gracefulShutdown } from './graceful-shutdown.ts';
import { webhookMetrics } from './webhook-metrics.ts';
import { webhookPath } from './webhook-path.ts';
import type { Webhook } from './webhook.ts';

/** The options of a webhook server. */
export interface WebhookServerOptions {
  /** All interfaces unless a host is given. */
  address: { host?: string; port: number };
  webhooks: readonly Webhook[];
  certificate: CertificateSource;
  client: Client;
  cache: Cache;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/** A webhook server. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
}

/** More than any AdmissionReview of the API server, old and new object included. */
const maximumBody = 8 * 1024 * 1024;

/** Longer than the 90 seconds after which Go closes idle connections: otherwise a request may arrive on one just closed. */
const keepAliveTimeout = 120_000;

/** Serves webhooks over TLS; a new certificate is used without closing connections. */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { webhooks, certificate, client, cache, log } = options;
  const routes = new Map<string, { webhook: Webhook; turn: AdmissionPhase }>();
  for (const webhook of webhooks) {
    for (const turn of ['mutate', 'validate'] as const) routes.set(webhookPath(turn, webhook.kind), { webhook, turn });
  }

  const measure = webhookMetrics(options, routes.keys());

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routes.get(path);
    if (route === undefined) return void response.writeHead(404).end(`no webhook at ${path}\n`);
    const body = await readReview(request);
    if (body?.request === undefined)
      return void response.writeHead(400).end('expected an AdmissionReview of admission.k8s.io/v1\n');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const context = { client, cache, signal: gone.signal };
    const review: AdmissionReview = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: await answerReview(route.webhook, route.turn, body.request, context),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
  }

  const server = createServer({ ...tlsOptions(certificate), keepAliveTimeout }, (request, response) => {
    const path = pathOf(request);
    const answered = measure(path);
    response.once('close', () => answered(response.statusCode));
    answer(path, request, response).catch((error: Error) => {
      log.error('webhook failed', { path, error });
      if (!response.headersSent) response.writeHead(500);
      response.end(`${error.message}\n`);
    });
  });
  const end = gracefulShutdown(server);
  followCertificate(server, certificate, log);
  await once(server.listen(options.address), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: end,
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** The AdmissionReview in a body; undefined when it is not one. */
async function readReview(request: IncomingMessage): Promise<AdmissionReview | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maximumBody) return undefined;
    chunks.push(chunk);
  }
  try {
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Partial<AdmissionReview> | null;
    return review?.kind === 'AdmissionReview' && review.apiVersion === 'admission.k8s.io/v1'
      ? (review as AdmissionReview)
      : undefined;
  } catch {
    return undefined;
  }
}
