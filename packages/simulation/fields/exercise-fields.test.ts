// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { casesOf, conditionCases } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { stepFor, type Services } from '@forge/runtime/steps/step.ts';
import { Type } from 'typebox';
import { environment } from '../world/environment.ts';
import { prepareCluster } from '../world/prepare-cluster.ts';
import { fieldExercise } from './exercise-fields.ts';
import { liveResource } from './live-resource.ts';

/** A kind without Ready. */
const Tank = kind({
  group: 'sample.forge.c5c3.io',
  version: 'v1',
  kind: 'Tank',
  plural: 'tanks',
  description: 'A tank.',
  spec: Type.Object({ level: Type.Integer({ minimum: 1, maximum: 3 }) }),
  status: Type.Object({ conditions: conditions() }),
});
type Tank = ObjectOf<typeof Tank>;

const overflowingType = { type: 'Overflowing', inverse: true } as const;
const fillingType = { type: 'Filling', informational: true } as const;

const filled = conditionCases('Filled', {
  full: { status: 'True', reason: 'Full', message: '' },
  empty: { status: 'False', reason: 'Empty', message: 'there is too little', recheck: minutes(60) },
});
const overflowing = conditionCases(overflowingType, {
  fine: { status: 'False', reason: 'Fine', message: '' },
  tooMuch: { status: 'True', reason: 'TooMuch', message: 'there is too much' },
  unexplained: { status: 'True', reason: 'TooMuch', message: '' },
});
const filling = conditionCases(fillingType, { idle: { status: 'False', reason: 'Idle', message: '' } });
const catalog: ConditionCatalog = {
  conditions: casesOf([filled, overflowing, filling]),
  events: [],
  ready: 'none',
};

/** What was found by changing every field of a Tank whose step does this, and writes these values into a ConfigMap. */
async function changesOf(
  run: (tank: Tank) => Outcome<undefined, object>,
  written: (tank: Tank) => Record<string, string> = () => ({}),
): Promise<{ problems: string[]; withoutEffect: string[] }> {
  const level = stepFor<Tank, Services>()({
    name: 'Level',
    condition: 'Filled',
    conditions: [overflowingType, fillingType],
    owns: [owned(ConfigMap, ['apply'])],
    async run({ object, apply }) {
      const metadata = { name: object.metadata.name };
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: written(object) });
      return run(object);
    },
  });
  await using live = await liveResource<Tank>({
    kind: Tank,
    from: await prepareCluster({ kinds: [Tank] }),
    environment: environment({ workloads: false }),
    resource: {
      apiVersion: Tank.apiVersion,
      kind: Tank.kind,
      metadata: { namespace: 'default', name: 'a' },
      spec: { level: 2 },
    },
    controllers: () => [
      stepController({
        name: 'tank-controller',
        for: Tank,
        steps: [level],
        services: { reading: {}, acting: {} },
        ready: 'none',
        fieldManager: 'tanks',
        metricPrefix: 'tanks_operator',
      }),
    ],
  });
  const { exercise, withoutEffect } = fieldExercise<Tank>(Tank, { conditions: catalog });
  return { problems: await exercise(live), withoutEffect: withoutEffect() };
}

const problemsOf = async (run: (tank: Tank) => Outcome<undefined, object>) => (await changesOf(run)).problems;

const texts = { Overflowing: overflowing.fine(), Filling: filling.idle() };

const fine = () => ready(filled.full(), { conditions: texts });

describe('changes of every field of a kind without Ready', () => {
  test('are fine when it is ready again, or a condition that is not as it should be explains why not', async () => {
    const problems = await problemsOf(({ spec }) => {
      if (spec.level === 1) return waiting(filled.empty(), { conditions: texts });
      return ready(filled.full(), {
        conditions: { ...texts, ...(spec.level > 2 && { Overflowing: overflowing.tooMuch() }) },
      });
    });
    assert.deepEqual(problems, []);
  });

  test('are a problem when nothing explains it', async () => {
    const problems = await problemsOf(({ spec }) => {
      const state = spec.level > 2 ? overflowing.unexplained() : overflowing.fine();
      return ready(filled.full(), { conditions: { ...texts, Overflowing: state } });
    });
    assert.deepEqual(problems, ['spec.level = 3: no condition explains why it is not ready']);
  });

  test('are a problem when it does not recover', async () => {
    const problems = await problemsOf(({ spec, status }) => {
      const before = status?.conditions?.find(({ type }) => type === 'Overflowing');
      const state = spec.level > 2 || before?.status === 'True' ? overflowing.tooMuch() : overflowing.fine();
      return ready(filled.full(), { conditions: { ...texts, Overflowing: state } });
    });
    assert.match(problems.join('\n'), /^spec.level = 3: does not recover: Overflowing TooMuch: there is too much/);
  });

  test('do not begin while it is not ready', async () => {
    const problems = await problemsOf(() => ready(filled.full(), { conditions: { Filling: filling.idle() } }));
    assert.deepEqual(problems, ['is not ready at the start: Overflowing NotReported: ']);
  });

  test('are without effect when no other object changes', async () => {
    assert.deepEqual(await changesOf(fine), { problems: [], withoutEffect: ['spec.level'] });
  });

  test('have an effect when another object changes', async () => {
    const found = await changesOf(fine, ({ spec }) => ({ level: `${spec.level}` }));
    assert.deepEqual(found, { problems: [], withoutEffect: [] });
  });

  test('have an effect when a condition explains them', async () => {
    const { withoutEffect } = await changesOf(({ spec }) =>
      spec.level === 1 ? waiting(filled.empty(), { conditions: texts }) : fine(),
    );
    assert.deepEqual(withoutEffect, []);
  });
});
