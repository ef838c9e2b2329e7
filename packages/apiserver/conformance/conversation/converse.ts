// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Wire } from '../wires/wire.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { conversation } from './conversation.ts';
import type { Exchange } from './exchange.ts';
import { normalise } from './normalise.ts';

/** The normalised exchanges of a case, and the error that ended it early, if any. */
export interface Outcome {
  exchanges: Exchange[];
  error?: Error;
}

/** Runs a case in its own namespace. `prepare` waits until a new namespace is ready. */
export async function converse(
  testCase: ConformanceCase,
  wire: Wire,
  prepare: (namespace: string) => Promise<void> = async () => {},
): Promise<Outcome> {
  const exchanges: Exchange[] = [];
  const end = new AbortController();
  const namespace = namespaceOf(testCase);
  const began = wire.now();
  try {
    const metadata = { name: namespace };
    await conversation(wire, namespace, [], end.signal).post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata,
    });
    await prepare(namespace);
    await testCase.run(conversation(wire, namespace, exchanges, end.signal));
    return { exchanges: normalise(exchanges, { began, ended: wire.now() }) };
  } catch (error) {
    return { exchanges: normalise(exchanges, { began, ended: wire.now() }), error: error as Error };
  } finally {
    end.abort();
  }
}

/** The namespace of a case; the same on every server, so that names need no normalising. */
export function namespaceOf({ name }: ConformanceCase): string {
  return `row-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
}
