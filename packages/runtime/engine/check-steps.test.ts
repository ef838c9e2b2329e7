// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { defaultReady } from '../conditions/condition-catalog.ts';
import { deletionStepFor } from '../steps/deletion-step.ts';
import { ready } from '../steps/outcome.ts';
import { reads } from '../steps/reads.ts';
import { stepFor, type Step } from '../steps/step.ts';
import { Site, type Services } from '../test/site.ts';
import { checkSteps } from './check-steps.ts';

const step = stepFor<Site, Services>();
const run = async () => ready('Fine', '');
const config = step({ name: 'Config', condition: 'ConfigReady', run });
const farewell = deletionStepFor<Site, Services>()({ name: 'Farewell', finalizer: 'test.forge.c5c3.io/hold', run });

const list = (steps: readonly Step<Site, Services>[]) => ({
  steps,
  deletion: [],
  guards: {},
  summary: undefined,
  ready: defaultReady,
});

describe('a step list', () => {
  for (const [mistake, steps, message] of [
    ['two steps of one name', [config, step({ name: 'Config', run })], /two steps of Site are named Config/],
    [
      'a need that is not in the list',
      [step({ name: 'Top', needs: { config }, run })],
      /step Top needs Config, which is not in the list/,
    ],
    [
      'a need that runs only at the end',
      [step({ name: 'Top', needs: { farewell }, run })],
      /step Top needs Farewell, which is not in the list/,
    ],
    [
      'a step to come after that is not in the list',
      [step({ name: 'Top', after: [config], run })],
      /step Top needs Config, which is not in the list/,
    ],
    [
      'steps that disagree about what is good',
      [config, step({ name: 'B', condition: { type: 'ConfigReady', inverse: true }, run })],
      /the steps of ConfigReady disagree whether it is inverse/,
    ],
    ['steps that need each other', cycle(), /steps need each other: A → B → A/],
    ['a step that speaks for Ready', [step({ name: 'A', condition: 'Ready', run })], /step A sets Ready/],
    [
      'steps that disagree about their condition',
      [config, step({ name: 'B', condition: { type: 'ConfigReady', informational: true }, run })],
      /the steps of ConfigReady disagree/,
    ],
    [
      'an owned kind without namespace',
      [step({ name: 'A', owns: [Namespace], run })],
      /step A owns Namespace, but the namespaced Site cannot own a cluster-scoped object/,
    ],
    [
      'a read in a namespace of what has none',
      [step({ name: 'A', reads: [reads(Namespace, () => [], { watchedNamespace: 'default' })], run })],
      /step A reads Namespace in default, but it is cluster-scoped/,
    ],
  ] as const) {
    test(`with ${mistake} is rejected`, () => {
      assert.throws(() => checkSteps(Site, list(steps)), message);
    });
  }

  test('with two deletion steps of one finalizer is rejected', () => {
    const deletion = [farewell, { ...farewell, name: 'Again' }];
    assert.throws(() => checkSteps(Site, { ...list([]), deletion }), /share the finalizer test.forge.c5c3.io\/hold/);
  });

  test('with a deletion step that needs an ordinary one is rejected', () => {
    const deletion = [{ ...farewell, needs: { config } }];
    assert.throws(
      () => checkSteps(Site, { ...list([config]), deletion }),
      /step Farewell needs Config, which is not in the list/,
    );
  });

  test('with a guard that needs a step is rejected', () => {
    const guard = step({ name: 'Guard', needs: { config }, run });
    const checked = { ...list([config]), guards: { beforeFinalizers: guard } };
    assert.throws(() => checkSteps(Site, checked), /guard Guard needs a step, but guards run before all steps/);
  });

  test('may set Ready where the controller leaves it to a step', () => {
    const speaking = step({ name: 'A', condition: 'Ready', run });
    checkSteps(Site, { ...list([speaking]), ready: 'byStep' });
  });

  test('may not set Ready where there is none, nor may guards', () => {
    const speaking = step({ name: 'A', condition: 'Ready', run });
    const message = /step A sets Ready, but the controller's ready is 'none'/;
    assert.throws(() => checkSteps(Site, { ...list([speaking]), ready: 'none' }), message);
    const guards = { beforeFinalizers: speaking };
    assert.throws(() => checkSteps(Site, { ...list([]), guards, ready: 'none' }), message);
  });

  test('in which steps share a need is fine', () => {
    const left = step({ name: 'Left', needs: { config }, run });
    const right = step({ name: 'Right', needs: { config }, run });
    checkSteps(Site, list([config, left, right, step({ name: 'Top', needs: { left, right }, run })]));
  });

  test('in which every step needs all before it is checked in linear time', () => {
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
    checkSteps(Site, list(steps));
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
