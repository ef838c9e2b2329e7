// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { now } from '../environment/duration.ts';
import { requeueNow, blocked, degraded, failed, ready, waiting, type Outcome } from '../steps/outcome.ts';
import { runSteps } from './run-steps.ts';

interface TestStep {
  name: string;
  needs: Readonly<Record<string, TestStep>>;
  after: readonly TestStep[];
  act: (needs: Readonly<Record<string, unknown>>) => Outcome | Promise<Outcome>;
}

function step(
  name: string,
  act: TestStep['act'],
  needs: TestStep['needs'] = {},
  after: readonly TestStep[] = [],
): TestStep {
  return { name, needs, act, after };
}

async function run(...steps: TestStep[]): Promise<Record<string, string>> {
  const results = await runSteps(steps, async (item, needs) => await item.act(needs));
  return Object.fromEntries([...results].map(([item, { outcome }]) => [item.name, outcome]));
}

const fine = () => ready('Fine', '');

describe('running steps', () => {
  test('passes the outputs of needed steps by name', async () => {
    const one = step('one', () => ready('Fine', '', { output: 1 }));
    const two = step('two', () => degraded('Meh', '', { output: 2 }));
    let got: unknown;
    const sum = step(
      'sum',
      (needs) => {
        got = needs;
        return fine();
      },
      { first: one, second: two },
    );
    await run(sum, one, two);
    assert.deepEqual(got, { first: 1, second: 2 });
  });

  test('runs steps in parallel when neither needs the other', async () => {
    const gate = Promise.withResolvers<Outcome>();
    const first = step('first', () => gate.promise);
    const second = step('second', () => {
      gate.resolve(fine());
      return fine();
    });
    assert.deepEqual(await run(first, second), { first: 'ready', second: 'ready' });
  });

  for (const [outcome, dependant] of [
    [ready('A', ''), 'ready'],
    [degraded('A', ''), 'ready'],
    [waiting('A', '', now), 'skipped'],
    [failed('A', ''), 'skipped'],
    [blocked('A', ''), 'skipped'],
    [requeueNow('A', ''), 'skipped'],
  ] as const) {
    test(`after ${outcome.outcome}, a step that needs it is ${dependant}, and so is one that needs that`, async () => {
      const base = step('base', () => outcome);
      const middle = step('middle', fine, { base });
      const top = step('top', fine, { middle });
      assert.deepEqual(await run(base, middle, top), { base: outcome.outcome, middle: dependant, top: dependant });
    });
  }

  test('skips what needs a step that threw, and runs the rest', async () => {
    const base = step('base', () => {
      throw new Error('no network');
    });
    const results = await run(base, step('top', fine, { base }), step('other', fine));
    assert.deepEqual(results, { base: 'threw', top: 'skipped', other: 'ready' });
  });

  test('after requeueNow, lets running steps finish and starts no other', async () => {
    const gate = Promise.withResolvers<Outcome>();
    const slow = step('slow', () => gate.promise);
    const rotation = step('rotation', () => {
      setImmediate(() => gate.resolve(fine()));
      return requeueNow('Rotated', '');
    });
    const results = await run(slow, rotation, step('next', fine, { slow }));
    assert.deepEqual(results, { slow: 'ready', rotation: 'requeueNow', next: 'skipped' });
  });
});
