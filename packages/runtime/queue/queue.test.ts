// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes, seconds } from '../environment/duration.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '../environment/virtual-clock.ts';
import { noMetrics } from '../observability/metrics.ts';
import { queueMetrics } from './queue-metrics.ts';
import { queue } from './queue.ts';

const random = { ...seededRandom(), number: () => 0.5 };

/** Takes keys as they come and records when; calls `done` at once by default. */
function taking(clock: VirtualClock, keys: ReturnType<typeof queue>): string[] {
  const taken: string[] = [];
  void (async () => {
    for (let key = await keys.next(); key !== undefined; key = await keys.next()) {
      taken.push(`${key} ${clock.now()}`);
      keys.done(key);
    }
    taken.push('closed');
  })();
  return taken;
}

describe('the queue', () => {
  test('returns a key once however often it was added', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    keys.add('a');
    keys.add('b');
    keys.add('a');
    const taken = taking(clock, keys);
    await clock.settle();
    assert.deepEqual(taken, ['a 0', 'b 0']);
  });

  test('gives a key to one worker at a time, and again when it was added in the meantime', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    keys.add('a');
    assert.equal(await keys.next(), 'a');
    const second = taking(clock, keys);
    keys.add('a');
    await clock.settle();
    assert.deepEqual(second, []);
    keys.done('a');
    await clock.settle();
    assert.deepEqual(second, ['a 0']);
  });

  test('returns urgent keys before routine ones, and a key that is both as urgent', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    for (const key of ['a', 'b', 'c']) keys.add(key, 'routine');
    keys.add('d');
    keys.add('c');
    keys.add('c', 'routine');
    const taken = taking(clock, keys);
    await clock.settle();
    assert.deepEqual(taken, ['d 0', 'c 0', 'a 0', 'b 0']);
  });

  test('counts a key that becomes urgent as urgent only', () => {
    const depths: string[] = [];
    const meter = {
      ...queueMetrics(noMetrics, ''),
      depth: (urgent: number, routine: number) => void depths.push(`${urgent} urgent, ${routine} routine`),
    };
    const keys = queue({ clock: virtualClock(0), random, meter });
    keys.add('a', 'routine');
    keys.add('a', 'urgent');
    keys.add('a', 'routine');
    assert.deepEqual(depths, ['0 urgent, 1 routine', '1 urgent, 0 routine', '1 urgent, 0 routine']);
  });

  test('keeps the earlier of two delayed adds', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    const taken = taking(clock, keys);
    keys.addAfter('a', seconds(10));
    keys.addAfter('a', seconds(5));
    keys.addAfter('a', seconds(20));
    await clock.advance(minutes(1));
    assert.deepEqual(taken, ['a 5000']);
  });

  test('cancels a delayed add when the key is taken earlier', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    const taken = taking(clock, keys);
    keys.addAfter('a', seconds(10));
    keys.add('a');
    await clock.advance(minutes(1));
    assert.deepEqual(taken, ['a 0']);
  });

  test('doubles the delay after every failure, up to the cap, and resets it after success', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random, backoff: { base: seconds(4), cap: seconds(16) } });
    const waits: number[] = [];
    async function failOnce(): Promise<void> {
      const before = clock.now();
      keys.retry('a');
      const next = keys.next();
      await clock.until(() => clock.now() > before);
      keys.done((await next) ?? '');
      waits.push(clock.now() - before);
    }
    for (let count = 0; count < 4; count += 1) await failOnce();
    keys.forget('a');
    await failOnce();
    // Three quarters of the whole wait, since this randomness always says one half.
    assert.deepEqual(waits, [3000, 6000, 12_000, 12_000, 3000]);
  });

  test('waits at least as long as requested after a failure', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    const taken = taking(clock, keys);
    keys.retry('a', seconds(2));
    await clock.advance(minutes(1));
    assert.deepEqual(taken, ['a 3000']);
  });

  test('ends its workers and timers when closed', async () => {
    const clock = virtualClock(0);
    const keys = queue({ clock, random });
    const taken = taking(clock, keys);
    keys.addAfter('a', seconds(1));
    keys.close();
    keys.add('b');
    await clock.advance(seconds(2));
    assert.deepEqual(taken, ['closed']);
  });
});
