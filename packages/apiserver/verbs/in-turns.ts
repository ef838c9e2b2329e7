// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';

/** As many objects as are looked at before others get their turn; counted, not timed, so that runs repeat. */
const atAStretch = 500;

/** Goes through what may be long, letting the event loop turn now and then. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T[]> {
  let stretch: T[] = [];
  for (const item of items) {
    if (stretch.length === atAStretch) {
      yield stretch;
      stretch = [];
      await setImmediate();
    }
    stretch.push(item);
  }
  yield stretch;
}
