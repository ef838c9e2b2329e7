// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from './conversation.ts';

/** One property of the API as a conversation with a server, whose answers are recorded. */
export interface ConformanceCase {
  /** A sentence; unique among all cases. */
  readonly name: string;
  readonly run: (api: Conversation) => Promise<void>;
}

/** Defines a case. It must be deterministic: nothing random, no clock, no objects of other cases. */
export function testCase(name: string, run: ConformanceCase['run']): ConformanceCase {
  return { name, run };
}
