// SPDX-License-Identifier: Apache-2.0
import type { Manager } from '../controller/manager.ts';
import type { PrometheusMetrics } from '../observability/prometheus-metrics.ts';
import type { OperatorOptions } from './operator-flags.ts';
import { serveEndpoints, type EndpointSecurity } from './serve-endpoints.ts';

/** The ports of an operator's endpoints. */
export interface OperatorEndpoints extends AsyncDisposable {
  readonly healthPort: number | undefined;
  readonly metricsPort: number | undefined;
}

/** Serves probes and metrics, also before the manager runs; metrics to everybody unless there is security. */
export async function operatorEndpoints(
  options: Pick<OperatorOptions, 'healthProbeBindAddress' | 'metricsBindAddress'>,
  metrics: PrometheusMetrics,
  { running, shutdown, security }: { running: Manager; shutdown: AbortSignal; security: EndpointSecurity | undefined },
): Promise<OperatorEndpoints> {
  await using stack = new AsyncDisposableStack();
  const health = stack.use(
    await serveEndpoints(options.healthProbeBindAddress, {
      '/healthz': async () => probeResult(running.healthy(), 'watches are stale: nothing received from the API server'),
      '/readyz': async () => probeResult(running.ready() && !shutdown.aborted, 'caches are not synced'),
    }),
  );
  const { contentType } = metrics;
  const scraped = stack.use(
    await serveEndpoints(
      options.metricsBindAddress,
      { '/metrics': async () => ({ ok: true, text: await metrics.text(), contentType }) },
      security,
    ),
  );
  const owned = stack.move();
  return {
    healthPort: health.port,
    metricsPort: scraped.port,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function probeResult(ok: boolean, otherwise: string): { ok: boolean; text: string } {
  return { ok, text: ok ? 'ok' : otherwise };
}
