// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Wire } from '../wires/wire.ts';
import { conversation } from './conversation.ts';
import type { Exchange } from './exchange.ts';
import { normalise } from './normalise.ts';
import type { Row } from './row.ts';

/** What was said in a row, normalised; and what ended it early, if anything did. */
export interface Outcome {
  exchanges: Exchange[];
  error?: Error;
}

/** Has the conversation of a row, in a namespace of its own. `prepare` waits for what a new namespace needs. */
export async function converse(
  row: Row,
  wire: Wire,
  prepare: (namespace: string) => Promise<void> = async () => {},
): Promise<Outcome> {
  const exchanges: Exchange[] = [];
  const end = new AbortController();
  const namespace = namespaceOf(row);
  const began = wire.now();
  try {
    const metadata = { name: namespace };
    await conversation(wire, namespace, [], end.signal).post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata,
    });
    await prepare(namespace);
    await row.run(conversation(wire, namespace, exchanges, end.signal));
    return { exchanges: normalise(exchanges, { began, ended: wire.now() }) };
  } catch (error) {
    return { exchanges: normalise(exchanges, { began, ended: wire.now() }), error: error as Error };
  } finally {
    end.abort();
  }
}

/** The same for a row on every server, so that names need no normalising. */
export function namespaceOf({ name }: Row): string {
  return `row-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
}
