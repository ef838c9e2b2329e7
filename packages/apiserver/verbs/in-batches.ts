// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';

/** Objects per batch; a count, not a time, so that runs are deterministic. */
const batchSize = 500;

/** Iterates in batches, yielding to the event loop between them. */
export async function* inBatches<T>(items: Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
      await setImmediate();
    }
    batch.push(item);
  }
  yield batch;
}
