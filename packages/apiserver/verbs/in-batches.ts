// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';

/** As many objects as are looked at before others get their turn; counted, not timed, so that runs repeat. */
const batchSize = 500;

/** Goes through what may be long, letting the event loop turn now and then. */
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
