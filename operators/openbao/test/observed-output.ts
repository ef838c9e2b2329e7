// SPDX-License-Identifier: Apache-2.0
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import type { StartOptions } from '@forge/testing/start-operator.ts';

/** What an operator tells those who watch it: its log, its metrics and its spans. */
export interface ObservedOutput {
  /** To start it with. */
  readonly options: Required<Pick<StartOptions, 'write' | 'metrics' | 'tracing'>>;
  readonly log: readonly string[];
  /** Name, attributes and error of every span. */
  readonly spans: readonly string[];
  /** What a scrape of its metrics returns. */
  metrics(): Promise<string>;
}

/** Records the output of an operator. */
export function observedOutput(): ObservedOutput {
  const [log, spans]: [string[], string[]] = [[], []];
  const metrics = prometheusMetrics();
  const note = (name: string, facts: object) => void spans.push(`${name} ${JSON.stringify(facts)}`);
  return {
    options: {
      write: (entry) => void log.push(JSON.stringify(entry)),
      metrics,
      tracing: {
        async span(name, attributes, run) {
          note(name, attributes);
          try {
            return await run((facts) => note(name, facts));
          } catch (error) {
            note(name, { error: errorText(error), stack: error instanceof Error ? error.stack : undefined });
            throw error;
          }
        },
      },
    },
    log,
    spans,
    metrics: () => metrics.text(),
  };
}
