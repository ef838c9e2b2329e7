// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../observability/metrics.ts';

// Names, labels and buckets are those of controller-runtime, so that its dashboards work.

const requests: Counter<'webhook' | 'code'> = {
  type: 'counter',
  name: 'controller_runtime_webhook_requests_total',
  help: 'Requests to webhooks by status code.',
  labels: ['webhook', 'code'],
};
const latency: Histogram<'webhook'> = {
  type: 'histogram',
  name: 'controller_runtime_webhook_latency_seconds',
  help: 'How long webhooks took to answer.',
  labels: ['webhook'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};
const inFlight: Gauge<'webhook'> = {
  type: 'gauge',
  name: 'controller_runtime_webhook_requests_in_flight',
  help: 'Requests in progress.',
  labels: ['webhook'],
};

/** Called for each request; the returned function is called with the status code of its response. */
export type WebhookMetrics = (path: string) => (code: number) => void;

/** The metrics of these paths; their series exist from the start. */
export function webhookMetrics(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  paths: Iterable<string>,
): WebhookMetrics {
  const running = new Map<string, number>();
  for (const webhook of paths) {
    running.set(webhook, 0);
    metrics.set(inFlight, { webhook }, 0);
    for (const code of ['200', '500']) metrics.count(requests, { webhook, code }, 0);
  }

  function change(webhook: string, by: number): void {
    const count = (running.get(webhook) ?? 0) + by;
    running.set(webhook, count);
    metrics.set(inFlight, { webhook }, count);
  }

  return (webhook) => {
    // Requests to unknown paths must not create series.
    if (!running.has(webhook)) return () => undefined;
    const began = clock.monotonic();
    change(webhook, 1);
    return (code) => {
      change(webhook, -1);
      metrics.count(requests, { webhook, code: String(code) });
      metrics.observe(latency, { webhook }, (clock.monotonic() - began) / 1000);
    };
  };
}
