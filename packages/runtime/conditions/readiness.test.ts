// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition } from '@forge/kube/objects/object.ts';
import { seconds } from '../environment/duration.ts';
import { degraded, ready, waiting } from '../steps/outcome.ts';
import { home, siteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site } from '../test/site.ts';
import { casesOf, conditionCases } from './cases.ts';
import { catalogCoverage } from './catalog-coverage.ts';
import { catalogPage } from './catalog-page.ts';
import type { ConditionCatalog } from './condition-catalog.ts';
import { isDesired, readinessOf } from './readiness.ts';

const degradedType = { type: 'Degraded', inverse: true } as const;
const upgradingType = { type: 'Upgrading', inverse: true, informational: true } as const;

const cases = {
  available: conditionCases('Available', {
    all: { status: 'True', reason: 'AllReady', message: '' },
    some: { status: 'False', reason: 'NotReady', message: '{count} of 3', recheck: seconds(5) },
    paused: { status: 'Unknown', reason: 'Paused', message: '' },
  }),
  degraded: conditionCases(degradedType, {
    lost: { status: 'True', reason: 'QuorumLost', message: 'no quorum' },
    fine: { status: 'False', reason: 'Reconciling', message: '' },
  }),
  upgrading: conditionCases(upgradingType, {
    running: { status: 'True', reason: 'InProgress', message: '' },
    idle: { status: 'False', reason: 'Idle', message: '' },
  }),
};

const catalog: ConditionCatalog = {
  conditions: casesOf([cases.available, cases.degraded, cases.upgrading]),
  events: [],
  ready: 'none',
};
const withReady: ConditionCatalog = { ...catalog, ready: 'byStep' };

const condition = (type: string, status: Condition['status'], observedGeneration = 1): Condition => ({
  type,
  status,
  reason: 'Because',
  message: 'of this',
  observedGeneration,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

function unmetOf(...conditions: Condition[]): string[] {
  return readinessOf(catalog, conditions).unmet.map(({ type, reason }) => `${type} ${reason}`);
}

describe('a resource of a kind without Ready', () => {
  test('is ready when all conditions that count are as desired, whatever the others are', () => {
    const met = [condition('Available', 'True', 3), condition('Degraded', 'False', 2), condition('Upgrading', 'True')];
    assert.deepEqual(readinessOf(catalog, [...met, condition('Theirs', 'False')]), {
      status: 'True',
      message: 'All sub-resources are ready',
      observedGeneration: 2,
      unmet: [],
    });
  });

  for (const [state, conditions, status, unmet] of [
    [
      'one is the contrary',
      [condition('Available', 'True'), condition('Degraded', 'True')],
      'False',
      ['Degraded Because'],
    ],
    [
      'one is False that should be True',
      [condition('Available', 'False'), condition('Degraded', 'False')],
      'False',
      ['Available Because'],
    ],
    [
      'one is Unknown',
      [condition('Available', 'Unknown'), condition('Degraded', 'False')],
      'Unknown',
      ['Available Because'],
    ],
    ['one is missing', [condition('Available', 'True')], 'Unknown', ['Degraded NotReported']],
    [
      'one is missing, another the contrary',
      [condition('Available', 'False')],
      'False',
      ['Available Because', 'Degraded NotReported'],
    ],
    [
      'none is reported',
      [condition('Upgrading', 'False'), condition('Ready', 'True')],
      'Unknown',
      ['Available NotReported', 'Degraded NotReported'],
    ],
  ] as const) {
    test(`is not ready when ${state}: ${status}`, () => {
      assert.deepEqual([readinessOf(catalog, conditions).status, unmetOf(...conditions)], [status, unmet]);
    });
  }
});

describe('a resource of a kind with Ready', () => {
  test('is as its Ready says', () => {
    const { status, observedGeneration } = readinessOf(withReady, [
      condition('Degraded', 'True'),
      condition('Ready', 'True', 7),
    ]);
    assert.deepEqual([status, observedGeneration], ['True', 7]);
    assert.equal(
      readinessOf(withReady, [condition('Available', 'True'), condition('Degraded', 'False')]).status,
      'Unknown',
    );
  });

  test('has no reason to be unready but its Ready and those that are not as desired', () => {
    const conditions = [condition('Upgrading', 'True'), condition('Degraded', 'True'), condition('Ready', 'False')];
    const types = readinessOf(withReady, conditions).unmet.map(({ type }) => type);
    assert.deepEqual(types, ['Degraded', 'Ready']);
    assert.deepEqual(readinessOf(withReady).unmet, [{ type: 'Ready', reason: 'NotReported', message: '' }]);
  });
});

test('a condition is as desired by its type in the catalog; one that is not in it should be True', () => {
  const met = [condition('Degraded', 'False'), condition('Upgrading', 'False'), condition('Theirs', 'True')];
  assert.ok(met.every((each) => isDesired(catalog, each)));
  const unmet = [condition('Degraded', 'True'), condition('Available', 'Unknown'), condition('Theirs', 'False')];
  assert.ok(unmet.every((each) => !isDesired(catalog, each)));
});

test('the engine writes no Ready where the kind has none, and leaves one of somebody else alone', async () => {
  await using operator = await siteOperator();
  const { observer, differences } = catalogCoverage(catalog);
  operator.controller = { ready: 'none' };
  operator.options = { observer };
  const main = step({
    name: 'Main',
    condition: 'Available',
    conditions: [degradedType, upgradingType],
    async run({ object: { spec } }) {
      const conditions = { Degraded: cases.degraded.fine(), Upgrading: cases.upgrading.idle() };
      if (spec.text === 'hello') {
        return waiting(cases.available.some({ count: 1 }), { conditions: { Upgrading: cases.upgrading.running() } });
      }
      if (spec.text === 'pause') return degraded(cases.available.paused(), { conditions });
      if (spec.text === 'lose')
        return ready(cases.available.all(), { conditions: { ...conditions, Degraded: cases.degraded.lost() } });
      return ready(cases.available.all(), { conditions });
    },
  });
  const state = async () => readinessOf(catalog, (await operator.site()).status?.conditions).status;

  await operator.start(main);
  assert.deepEqual(await operator.conditions(), ['Available False NotReady', 'Upgrading True InProgress']);
  assert.equal(await state(), 'False');
  const foreign = condition('Ready', 'False');
  const { status } = await operator.site();
  const conditions = [...(status?.conditions ?? []), foreign];
  await operator.cluster.client.patch(Site, home, 'merge', { status: { conditions } }, { subresource: 'status' });
  for (const [text, expected] of [
    ['run', 'True'],
    ['pause', 'Unknown'],
    ['lose', 'False'],
  ] as const) {
    await operator.patch({ text });
    assert.equal(await state(), expected, text);
  }
  assert.deepEqual((await operator.site()).status?.conditions?.at(-1), foreign);
  const unobserved = differences().filter((line) => !line.includes('ApplyRejected'));
  assert.deepEqual(unobserved, []);
});

test('the page of a kind without Ready says when it is ready, and what conditions mean that should not be True', () => {
  const page = catalogPage('Cluster', catalog);
  assert.match(page, /no condition Ready: a Cluster is ready when Available is True and Degraded is False\./);
  assert.match(page, /## Available\n\n\| status/);
  assert.match(page, /## Degraded\n\nIt should be False\.\n\n\| status/);
  assert.match(page, /## Upgrading\n\nIt should be False\. Whether the resource is ready does not depend on it\.\n/);
  assert.doesNotMatch(page, /## Ready/);
});
