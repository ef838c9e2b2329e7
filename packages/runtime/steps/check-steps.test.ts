// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Namespace } from '@forge/kube/builtin.ts';
import { Site, type Services } from '../test/site.ts';
import { checkSteps } from './check-steps.ts';
import { deletionStepFor } from './deletion-step.ts';
import { ready } from './outcome.ts';
import { stepFor, type Step } from './step.ts';

const step = stepFor<Site, Services>();
const run = async () => ready('Fine', '');
const config = step({ name: 'Config', condition: 'ConfigReady', run });
const farewell = deletionStepFor<Site, Services>()({ name: 'Farewell', finalizer: 'test.forge.c5c3.io/hold', run });

describe('a step list', () => {
  for (const [mistake, steps, message] of [
    ['two steps of one name', [config, step({ name: 'Config', run })], /two steps of Site are called Config/],
    [
      'a need that is not in the list',
      [step({ name: 'Top', needs: { config }, run })],
      /step Top needs Config, which is not in the list/,
    ],
    [
      'a need that runs only at the end',
      [farewell, step({ name: 'Top', needs: { farewell }, run })],
      /step Top needs Farewell, which runs only when a Site goes/,
    ],
    [
      'two writers of one status field',
      [step({ name: 'A', writes: ['url'], run }), step({ name: 'B', writes: ['url'], run })],
      /steps A and B both write status.url/,
    ],
    ['steps that need each other', cycle(), /steps need each other: A → B → A/],
    ['a step that speaks for Ready', [step({ name: 'A', condition: 'Ready', run })], /step A speaks for Ready/],
    [
      'steps that disagree about their condition',
      [config, step({ name: 'B', condition: { type: 'ConfigReady', informational: true }, run })],
      /the steps of ConfigReady disagree/,
    ],
    [
      'an owned kind without namespace',
      [step({ name: 'A', owns: [Namespace], run })],
      /step A owns Namespace, but a Site cannot own what has no namespace/,
    ],
  ] as const) {
    test(`with ${mistake} is refused`, () => {
      assert.throws(() => checkSteps(Site, steps), message);
    });
  }

  test('in which steps share a need is fine', () => {
    const left = step({ name: 'Left', needs: { config }, run });
    const right = step({ name: 'Right', needs: { config }, run });
    checkSteps(Site, [config, left, right, step({ name: 'Top', needs: { left, right }, run })]);
  });

  test('in which every step needs all before it costs a look or two at each', () => {
    const steps: Step<Site, Services>[] = [];
    let looks = 0;
    for (let count = 0; count < 16; count += 1) {
      const needs = Object.fromEntries(steps.map((each) => [each.name, each]));
      steps.push({
        ...step({ name: `S${count}`, run }),
        get needs() {
          looks += 1;
          return needs;
        },
      });
    }
    checkSteps(Site, steps);
    assert.equal(looks, 2 * steps.length);
  });
});

function cycle(): readonly Step<Site, Services>[] {
  const needs: Record<string, Step<Site, Services>> = {};
  const first = step({ name: 'A', needs, run });
  const second = step({ name: 'B', needs: { first }, run });
  needs['second'] = second;
  return [first, second];
}
