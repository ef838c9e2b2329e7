// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '../environment/duration.ts';
import { failed, ready, waiting } from '../steps/outcome.ts';
import { stepFor } from '../steps/step.ts';
import { siteOperator } from '../test/site-operator.ts';
import type { Services, Site } from '../test/site.ts';
import { catalogCoverage } from './catalog-coverage.ts';
import type { ConditionCatalog, ConditionCase } from './condition-catalog.ts';

const definition: ConditionCase = {
  type: 'ConfigReady',
  status: 'False',
  reason: 'WaitingForConfig',
  message: 'Config "{name}" (of {owner}) is not there',
  recheck: seconds(15),
};
const catalog: ConditionCatalog = {
  conditions: [definition],
  events: [{ type: 'Normal', reason: 'Rotated', message: '{count} keys rotated' }],
};

const engineSays = [
  { type: 'Ready', status: 'True', reason: 'AllReady', message: 'All sub-resources are ready' },
  { type: 'Ready', status: 'False', reason: 'NotAllReady', message: 'One or more sub-conditions are not ready' },
  { type: 'ConfigReady', status: 'False', reason: 'ApplyRejected', message: 'A b was refused: c', recheck: 'backoff' },
] as const satisfies ConditionCase[];

/** The coverage after the engine has reported all its cases, so that only those of the operator count. */
function coverage() {
  const fresh = catalogCoverage(catalog);
  for (const said of engineSays) fresh.observer.condition(said);
  return fresh;
}

describe('the coverage of a catalog', () => {
  test('has no differences when exactly its cases were observed', () => {
    const { observer, differences } = coverage();
    observer.condition({ ...definition, message: 'Config "a.b" (of site\nhome) is not there' });
    observer.event({ type: 'Normal', reason: 'Rotated', message: '3 keys rotated' });
    assert.deepEqual(differences(), []);
  });

  test('names what was never observed', () => {
    assert.deepEqual(coverage().differences(), [
      'never observed: condition ConfigReady=False WaitingForConfig "Config \\"{name}\\" (of {owner}) is not there", recheck after 15 s',
      'never observed: Event Normal Rotated "{count} keys rotated"',
    ]);
    assert.equal(catalogCoverage({ conditions: [], events: [] }).differences().length, engineSays.length);
  });

  for (const [part, said] of [
    ['status', { ...definition, status: 'True' }],
    ['reason', { ...definition, reason: 'Waiting' }],
    ['type', { ...definition, type: 'Other' }],
    ['message', { ...definition, message: 'Config "a" (of b) is not there yet' }],
    ['beginning', { ...definition, message: 'The Config "a" (of b) is not there' }],
    ['recheck', { ...definition, recheck: seconds(10) }],
    ['way to come back', { ...definition, recheck: 'backoff' }],
  ] as const) {
    test(`detects another ${part}`, () => {
      const { observer, differences } = coverage();
      observer.condition({ ...said, message: said.message.replaceAll(/[{}]/g, '') });
      assert.equal(differences().filter((text) => text.startsWith('not in the catalog: condition')).length, 1);
    });
  }

  test('detects another Event', () => {
    const { observer, differences } = coverage();
    observer.event({ type: 'Warning', reason: 'Rotated', message: '3 keys rotated' });
    assert.ok(differences().includes('not in the catalog: Event Warning Rotated "3 keys rotated"'));
  });
});

describe('a manager with an observer', () => {
  test('notifies it of every condition and Event, with the recheck, those of the engine included', async () => {
    await using operator = await siteOperator();
    const said = new Set<string>();
    operator.options = {
      observer: {
        condition: ({ type, status, reason, recheck }) => said.add(`${type} ${status} ${reason} ${recheck}`),
        event: ({ reason }) => said.add(reason),
      },
    };
    const step = stepFor<Site, Services>();
    const config = step({
      name: 'Config',
      condition: 'ConfigReady',
      owns: [ConfigMap],
      async run({ object, apply, event }) {
        if (object.spec.text === 'hello') return waiting('Wait', '', seconds(600));
        if (object.spec.text === 'fail') return failed('Broken', '');
        if (object.spec.text === 'refuse') {
          await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Not A Name' } });
        }
        await event({ type: 'Normal', reason: 'Told', message: '' });
        return ready('Fine', '');
      },
    });
    await operator.start(config);
    for (const text of ['refuse', 'fail', 'other']) await operator.patch({ text });
    assert.deepEqual(
      [...said],
      [
        'ConfigReady False Wait 600000',
        'Ready False NotAllReady undefined',
        'ConfigReady False ApplyRejected backoff',
        'ConfigReady False Broken backoff',
        'Told',
        'ConfigReady True Fine undefined',
        'Ready True AllReady undefined',
      ],
    );
  });
});
