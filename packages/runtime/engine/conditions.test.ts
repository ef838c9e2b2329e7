// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition } from '@forge/kube/objects/object.ts';
import { defaultReady } from '../conditions/condition-catalog.ts';
import { now } from '../environment/duration.ts';
import { requeueNow, blocked, degraded, failed, ready, waiting } from '../steps/outcome.ts';
import { nextConditions, conditionUpdates, type ConditionSource } from './conditions.ts';
import type { StepResult } from './run-steps.ts';

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-02T00:00:00Z';

function pass(results: (readonly [string, StepResult])[], before: Condition[] = [], generation = 1): Condition[] {
  const map = new Map<ConditionSource, StepResult>(
    results.map(([name, result]) => {
      const type = name.replace('~', '');
      const declared = { type, desired: 'True', countsForReady: !name.startsWith('~'), measured: true } as const;
      return [{ condition: type === '' ? undefined : declared, conditions: [] }, result];
    }),
  );
  return nextConditions({
    steps: [...map.keys()],
    before,
    updates: conditionUpdates(map),
    generation,
    time: late,
    ready: defaultReady,
  });
}

const summary = (conditions: Condition[]) =>
  conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
const generationOf = (conditions: Condition[]) => conditions.at(-1)?.observedGeneration;
const threw: StepResult = { outcome: 'threw', error: new Error('no network') };
const skipped: StepResult = { outcome: 'skipped' };

function condition(type: string, status: 'True' | 'False', reason: string, observedGeneration = 1): Condition {
  return { type, status, reason, message: '', observedGeneration, lastTransitionTime: early };
}

describe('conditions', () => {
  for (const [outcome, status] of [
    [ready('A', 'b'), 'True'],
    [requeueNow('A', 'b'), 'True'],
    [waiting('A', 'b', now), 'False'],
    [failed('A', 'b'), 'False'],
    [blocked('A', 'b'), 'False'],
    [degraded('A', 'b'), 'False'],
  ] as const) {
    test(`${outcome.outcome} makes its condition ${status}`, () => {
      assert.deepEqual(pass([['ConfigReady', outcome]], [], 3)[0], {
        type: 'ConfigReady',
        status,
        reason: 'A',
        message: 'b',
        observedGeneration: 3,
        lastTransitionTime: late,
      });
    });
  }

  test('keep the time of their last flip when only the text changes', () => {
    const before = [condition('ConfigReady', 'True', 'Old')];
    const [same] = pass([['ConfigReady', ready('New', '')]], before);
    assert.deepEqual([same?.reason, same?.lastTransitionTime], ['New', early]);
    const [flipped] = pass([['ConfigReady', blocked('New', '')]], before);
    assert.equal(flipped?.lastTransitionTime, late);
  });

  test('that several steps set show the first that is not True, else the first', () => {
    const first = ['SecretsReady', ready('First', '')] as const;
    const second = ['SecretsReady', blocked('Second', '')] as const;
    const third = ['SecretsReady', failed('Third', '')] as const;
    assert.equal(summary(pass([first, second, third]))[0], 'SecretsReady False Second');
    assert.equal(summary(pass([first, ['SecretsReady', ready('Also', '')]]))[0], 'SecretsReady True First');
  });

  test('stay as they were, generation included, when their step threw or did not run', () => {
    const before = [condition('ConfigReady', 'False', 'Old', 1), condition('KeysReady', 'True', 'Old', 1)];
    const after = pass(
      [
        ['ConfigReady', threw],
        ['KeysReady', skipped],
      ],
      before,
      2,
    );
    assert.deepEqual(after.slice(0, 2), before);
  });

  test('do not turn True while one of their steps has no outcome', () => {
    const before = [condition('SecretsReady', 'False', 'Waiting')];
    assert.deepEqual(
      pass(
        [
          ['SecretsReady', ready('Fine', '')],
          ['SecretsReady', threw],
        ],
        before,
      )[0],
      before[0],
    );
  });

  test('are aggregated by Ready, which counts a missing one as False and ignores informational ones', () => {
    const ready1 = ['ConfigReady', ready('Fine', '')] as const;
    assert.deepEqual(summary(pass([ready1, ['~LoggingHealthy', degraded('Off', '')], ['', skipped]])), [
      'ConfigReady True Fine',
      'LoggingHealthy False Off',
      'Ready True AllReady',
    ]);
    assert.deepEqual(summary(pass([ready1, ['KeysReady', skipped]])), [
      'ConfigReady True Fine',
      'Ready False NotAllReady',
    ]);
  });

  test('give Ready the oldest observedGeneration of those it depends on', () => {
    const before = [condition('KeysReady', 'True', 'Fine', 1)];
    assert.equal(
      generationOf(
        pass(
          [
            ['ConfigReady', ready('Fine', '')],
            ['KeysReady', threw],
          ],
          before,
          2,
        ),
      ),
      1,
    );
    assert.equal(
      generationOf(
        pass(
          [
            ['ConfigReady', blocked('No', '')],
            ['KeysReady', threw],
          ],
          before,
          2,
        ),
      ),
      2,
    );
  });

  test('of types that are not ours stay as they were, behind ours', () => {
    const theirs = condition('Progressing', 'False', 'Theirs');
    const after = pass([['ConfigReady', ready('Fine', '')]], [theirs, condition('ConfigReady', 'False', 'Old')]);
    assert.deepEqual(summary(after), ['ConfigReady True Fine', 'Ready True AllReady', 'Progressing False Theirs']);
    assert.deepEqual(after.at(-1), theirs);
  });
});
