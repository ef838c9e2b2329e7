// SPDX-License-Identifier: Apache-2.0

/** The attributes of a span. */
type SpanAttributes = Readonly<Record<string, string>>;

/** Records spans. */
export interface Tracing {
  /** Runs within a span of this name; `note` adds attributes, and a thrown error marks the span as failed. */
  span<R>(name: string, facts: SpanAttributes, run: (note: (facts: SpanAttributes) => void) => Promise<R>): Promise<R>;
}
