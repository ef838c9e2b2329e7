// SPDX-License-Identifier: Apache-2.0
import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Tracing } from './tracing.ts';

/** Spans for the OpenTelemetry SDK with which the process was started; without one they are dropped. */
export function openTelemetry(component: string, version: string): Tracing {
  const tracer = trace.getTracer(component, version);
  return {
    span: (name, attributes, run) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await run((facts) => void span.setAttributes(facts));
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          span.recordException(error instanceof Error ? error : message);
          span.setStatus({ code: SpanStatusCode.ERROR, message });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}
