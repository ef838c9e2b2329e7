// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@forge/kube/client/transport.ts';
import { desiredStatus } from '@forge/runtime/conditions/readiness.ts';
import { isStepController } from '@forge/runtime/engine/declared-steps.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { conditionsOf } from '@forge/runtime/steps/step.ts';
import { conditionCatalogOf, operatorNamed, operators } from './operators.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const unreachable: Transport = {
  request: () => Promise.reject(new Error('there is no cluster')),
  stream: () => Promise.reject(new Error('there is no cluster')),
};

describe('the register of operators', () => {
  test('has every folder of an operator', () => {
    const folders = globSync('*/package.json', { cwd: here }).map((file) => file.split('/')[0] ?? '');
    assert.deepEqual(operators.map(({ name }) => name).toSorted(), folders.toSorted());
  });

  for (const { name, operator, kinds } of operators) {
    test(`has all kinds of ${name} and its program`, () => {
      assert.deepEqual(
        kinds.map(({ kind }) => kind),
        operator.kinds,
      );
      assert.ok(existsSync(`${here}/${name}/${operator.name}.mjs`));
    });

    test(`has the same meaning of each condition in the steps of ${name} and in its catalogs`, () => {
      const host = { clock: virtualClock(), random: seededRandom(), transport: unreachable };
      const controllers = operator.controllers({ ownNamespace: 'forge-system' }, host).filter(isStepController);
      for (const { for: kind, declared } of controllers) {
        const { guards, steps, summary, deletion } = declared;
        const all = [...guards, ...steps, ...(summary === undefined ? [] : [summary]), ...deletion];
        const meant = new Map(all.flatMap(conditionsOf).map((each) => [each.type, each]));
        for (const each of conditionCatalogOf(kind.kind).conditions) {
          const condition = meant.get(each.type);
          if (condition === undefined || each.type === 'Ready') continue;
          const { desired, countsForReady } = condition;
          assert.deepEqual([desiredStatus(each), each.informational !== true], [desired, countsForReady], each.type);
        }
      }
    });
  }

  test('names the operators to someone who asks for another', () => {
    assert.throws(() => operatorNamed('nova'), /no operator is named "nova": choose keystone or /);
  });
});
