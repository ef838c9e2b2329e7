// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from './conversation.ts';

/** One property of the API as a conversation with a server; the answers are the contract. */
export interface Row {
  /** A sentence; unique among all rows. */
  readonly name: string;
  readonly run: (api: Conversation) => Promise<void>;
}

/** Defines a row. It must be deterministic: nothing random, no clock, no objects of other rows. */
export function row(name: string, run: Row['run']): Row {
  return { name, run };
}
