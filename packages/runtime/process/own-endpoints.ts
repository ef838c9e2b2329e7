// SPDX-License-Identifier: Apache-2.0
import type { Manager } from '../controller/manager.ts';
import type { PrometheusMetrics } from '../metrics/prometheus-metrics.ts';
import type { OperatorOptions } from './operator-flags.ts';
import { serveEndpoints } from './serve-endpoints.ts';

/** Where an operator answers for itself. */
export interface OwnEndpoints extends AsyncDisposable {
  readonly healthPort: number | undefined;
  readonly metricsPort: number | undefined;
}

/** Answers probes and hands out metrics, from before there is anything to manage. */
export async function ownEndpoints(
  options: Pick<OperatorOptions, 'healthProbeBindAddress' | 'metricsBindAddress'>,
  metrics: PrometheusMetrics,
  { running, ending }: { running: () => Manager | undefined; ending: AbortSignal },
): Promise<OwnEndpoints> {
  await using stack = new AsyncDisposableStack();
  const health = stack.use(
    await serveEndpoints(options.healthProbeBindAddress, {
      '/healthz': async () => verdict(running()?.healthy() !== false, 'no news from the API server'),
      '/readyz': async () => verdict(running()?.ready() === true && !ending.aborted, 'caches are not filled'),
    }),
  );
  const { contentType } = metrics;
  const scraped = stack.use(
    await serveEndpoints(options.metricsBindAddress, {
      '/metrics': async () => ({ ok: true, text: await metrics.text(), contentType }),
    }),
  );
  const owned = stack.move();
  return {
    healthPort: health.port,
    metricsPort: scraped.port,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function verdict(ok: boolean, otherwise: string): { ok: boolean; text: string } {
  return { ok, text: ok ? 'ok' : otherwise };
}
