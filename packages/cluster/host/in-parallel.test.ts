// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { inParallel } from './in-parallel.ts';

describe('work in parallel', () => {
  it('processes every item once, never more than `limit` at a time', async () => {
    const done: string[] = [];
    let running = 0;
    await inParallel(['a', 'b', 'c', 'd', 'e'], 2, async (item) => {
      running += 1;
      assert.ok(running <= 2);
      await Promise.resolve();
      running -= 1;
      done.push(item);
    });
    assert.deepEqual(done.toSorted(), ['a', 'b', 'c', 'd', 'e']);
  });

  it('throws the first error after the others were aborted and have ended', async () => {
    let ended = false;
    const work = async (item: string, signal: AbortSignal): Promise<void> => {
      if (item === 'bad') throw new Error('broken');
      await once(signal, 'abort');
      ended = true;
    };
    await assert.rejects(inParallel(['good', 'bad', 'never'], 2, work), /broken/);
    assert.ok(ended);
  });

  it('starts nothing when already aborted', async () => {
    const started = inParallel([1], 1, () => assert.fail('started'), AbortSignal.abort());
    await assert.rejects(started, { name: 'AbortError' });
  });
});
