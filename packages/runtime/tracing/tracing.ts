// SPDX-License-Identifier: Apache-2.0

/** What is known of a span. */
type SpanFacts = Readonly<Record<string, string>>;

/** Where the course of a program can be followed: spans within spans, each with its time and its end. */
export interface Tracing {
  /** Runs within a span of this name; `note` adds what turns out on the way, and what is thrown marks the span as failed. */
  span<R>(name: string, facts: SpanFacts, run: (note: (facts: SpanFacts) => void) => Promise<R>): Promise<R>;
}
