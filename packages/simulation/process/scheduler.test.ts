// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { scheduler } from './scheduler.ts';

const actor = { name: 'actor', stopped: false };

function recorded(seed = 1) {
  const happened: string[] = [];
  return { happened, ...scheduler(0, seededRandom(seed), (what) => happened.push(what)) };
}

describe('a scheduler', () => {
  test('runs waiting steps one by one, in an order determined by the seed', async () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 50; seed += 1) {
      const { happened, turn, step } = recorded(seed);
      for (const what of ['a', 'b', 'c']) void turn({ actor, what });
      while (await step(0));
      orders.add(happened.join());
    }
    assert.equal(orders.size, 6);
  });

  test('advances time only when nothing else can run', async () => {
    const { happened, clockOf, turn, step, now } = recorded();
    clockOf(actor).after(1000, () => undefined);
    void turn({ actor, what: 'at once' }).then(() => turn({ actor, what: 'afterwards' }));
    while (await step(5000));
    assert.deepEqual(happened, ['0 actor at once', '0 actor afterwards', '1000 actor timer']);
    assert.equal(now(), 5000);
  });

  test('gives a stopped actor neither turns nor timers until it resumes', async () => {
    const { happened, clockOf, turn, step } = recorded();
    const frozen = { name: 'frozen', stopped: true };
    clockOf(frozen).after(1000, () => undefined);
    void turn({ actor: frozen, what: 'works' });
    assert.equal(await step(3000), false);
    frozen.stopped = false;
    while (await step(3000));
    assert.deepEqual(happened.toSorted(), ['3000 frozen timer', '3000 frozen works']);
  });

  test('takes the timers of an actor that are due at one time in one step, in the order in which they were set', async () => {
    const { happened, clockOf, step } = recorded();
    const fired: string[] = [];
    const clock = clockOf({ name: 'server', stopped: false, together: true });
    for (const [what, at] of [
      ['first', 1000],
      ['later', 2000],
      ['cancelled', 1000],
      ['second', 1000],
    ] as const) {
      const cancel = clock.after(at, () => fired.push(what));
      if (what === 'cancelled') clock.after(500, cancel);
    }
    while (await step(1500));
    assert.deepEqual(happened, ['500 server timer', '1000 server timer']);
    assert.deepEqual(fired, ['first', 'second']);
  });

  test('pauses while external work is awaited', async () => {
    const { happened, external, turn, step } = recorded();
    const digest = crypto.subtle.digest('SHA-256', new Uint8Array(1000));
    const real = external(digest).then(() => turn({ actor, what: 'signed' }));
    void turn({ actor, what: 'later' }).then(() => undefined);
    await step(0);
    await step(0);
    await real;
    assert.deepEqual(happened.toSorted(), ['0 actor later', '0 actor signed']);
  });

  test('rejects an aborted wait', async () => {
    const { turn, step } = recorded();
    const patience = new AbortController();
    const waiting = turn({ actor, what: 'never', signal: patience.signal });
    patience.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal(await step(0), false);
  });
});
