// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from './conversation.ts';

/** One promise of the API, told as a conversation with a server; what is answered is the contract. */
export interface Row {
  /** A sentence; unique among all rows. */
  readonly name: string;
  readonly run: (api: Conversation) => Promise<void>;
}

/** A row. Its conversation must go the same way every time: nothing random, no clock, no other row's objects. */
export function row(name: string, run: Row['run']): Row {
  return { name, run };
}
