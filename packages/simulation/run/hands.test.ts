// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { HandAction } from '../faults/fault-plan.ts';
import { handPlans } from '../faults/sweep.ts';
import type { HandsOn } from '../scenario/scenario.ts';
import { copies, keepCopy, type CopyWork } from '../test/copies.ts';
import { simulation } from './simulation.ts';

const copy = 'secrets/default/source';
const isOperator = (process: string) => process === 'copies';
const controllers = [{ for: ConfigMap, owns: [Secret] }];

/** The violations of a run in which a person does this to the copy after a write of the controller. */
async function violationsOf(does: HandAction, work: CopyWork, handsOn: HandsOn = { controllers }) {
  const copying = await simulation({ ...copies(() => work), handsOn });
  return (await copying.replay({ seed: 1, faults: [{ fault: 'hand', on: copy, does, process: 'copies', at: 2 }] }))
    .violations;
}

/** Copies, but never again what somebody deleted. */
function forgetful(): CopyWork {
  let wasThere = false;
  return async (ref, context, host) => {
    if (context.cache.get(Secret, ref) === undefined && wasThere) return;
    await keepCopy(ref, context, host);
    wasThere = true;
  };
}

describe('a hand on a child', () => {
  for (const does of ['Background', 'Foreground', 'Orphan', 'empty'] as const) {
    test(`is healed by a correct controller: ${does}`, async () => {
      assert.deepEqual(await violationsOf(does, keepCopy), []);
    });
  }

  test('shows that a controller does not create a child again', async () => {
    const [first] = await violationsOf('Background', forgetful());
    assert.match(first ?? '', /^secrets\/default\/source is missing/);
  });

  test('shows that labels are not restored, unless the child is created once only', async () => {
    const careless: CopyWork = keepCopy;
    const [first] = await violationsOf('unlabel', careless);
    assert.match(first ?? '', /^secrets\/default\/source\.metadata\.labels is missing/);
    assert.deepEqual(await violationsOf('unlabel', careless, { controllers, createdOnce: /^secrets\// }), []);
  });

  test('shows that a controller makes again what nobody can make', async () => {
    assert.deepEqual(await violationsOf('Background', keepCopy, { controllers, isLoss: () => true }), [
      `${copy} has content again, which nobody can make`,
    ]);
  });

  test('meets every child of the controllers, after a write, and at rest when it is there; actions take turns unless all are wanted', async () => {
    const copying = await simulation({ ...copies(() => keepCopy), handsOn: { controllers } });
    assert.deepEqual(copying.baseline.children, [{ key: copy, isAtStart: false }]);
    const plans = [false, true].map((thorough) =>
      handPlans(copying.baseline, { isOperator, withStart: true, thorough }),
    );
    assert.deepEqual(
      plans.map(({ length }) => length),
      [2, 5],
    );
  });
});
