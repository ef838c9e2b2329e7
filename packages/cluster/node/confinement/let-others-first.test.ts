// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { letOthersFirst } from './let-others-first.ts';

/** A container on two processors, and a function that lets it use some of them for a while. */
function measured(context: TestContext) {
  const clock = virtualClock();
  const abort = new AbortController();
  context.after(() => abort.abort());
  const turns: boolean[] = [];
  let used = 0;
  const container = {
    processorTime: () => Promise.resolve(used),
    setBackground: async (isBackground: boolean) => void turns.push(isBackground),
  };
  letOthersFirst(container, { clock, signal: abort.signal, processors: 2 }).catch(() => undefined);
  async function use(processors: number, time: Duration): Promise<void> {
    for (let passed = 0; passed < time; passed += seconds(1)) {
      used += processors * seconds(1);
      await clock.advance(seconds(1));
    }
  }
  return { use, turns };
}

describe('a container that computes without end', () => {
  test('lets others go first, until it has been calm for a minute', async (context) => {
    const { use, turns } = measured(context);
    await use(2, seconds(10));
    assert.deepEqual(turns, [true]);
    await use(0, seconds(50));
    await use(1, seconds(5));
    await use(0, seconds(55));
    assert.deepEqual(turns, [true]);
    await use(0, seconds(10));
    assert.deepEqual(turns, [true, false]);
  });

  test('does not come back while it uses a tenth of the processors', async (context) => {
    const { use, turns } = measured(context);
    await use(2, seconds(10));
    await use(0.2, minutes(5));
    assert.deepEqual(turns, [true]);
  });

  test('stays where it is while it starts', async (context) => {
    const { use, turns } = measured(context);
    await use(2, seconds(6));
    await use(0, minutes(1));
    assert.deepEqual(turns, []);
  });

  test('stays where it is while it uses a quarter of the processors', async (context) => {
    const { use, turns } = measured(context);
    await use(0.5, minutes(5));
    assert.deepEqual(turns, []);
  });
});
