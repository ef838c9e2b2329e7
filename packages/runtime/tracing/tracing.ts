// SPDX-License-Identifier: Apache-2.0

/** What is known of a span. */
type SpanAttributes = Readonly<Record<string, string>>;

/** Where the course of a program can be followed: spans within spans, each with its time and its end. */
export interface Tracing {
  /** Runs within a span of this name; `note` adds what turns out on the way, and what is thrown marks the span as failed. */
  span<R>(name: string, facts: SpanAttributes, run: (note: (facts: SpanAttributes) => void) => Promise<R>): Promise<R>;
}
