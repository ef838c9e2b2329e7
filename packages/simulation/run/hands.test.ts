// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { HandAction } from '../faults/fault-plan.ts';
import { handPlans, type Child } from '../faults/sweep.ts';
import type { ManualChanges } from '../scenario/scenario.ts';
import { copies, keepCopy, type CopyWork } from '../test/copies.ts';
import { simulation } from './simulation.ts';

const copy = 'secrets/default/source';
const isOperator = (process: string) => process === 'copies';
const controllers = [{ for: ConfigMap, owns: [Secret] }];

/** The violations of a run in which a person changes the copy like this after a write of the controller. */
async function violationsOf(does: HandAction, work: CopyWork, manualChanges: ManualChanges = { controllers }) {
  const copying = await simulation({ ...copies(() => work), manualChanges });
  return (await copying.replay({ seed: 1, faults: [{ fault: 'hand', on: copy, does, process: 'copies', at: 2 }] }))
    .violations;
}

/** Creates the copy, but does not recreate it after a deletion. */
function forgetful(): CopyWork {
  let wasCreated = false;
  return async (ref, context, host) => {
    if (context.cache.get(Secret, ref) === undefined && wasCreated) return;
    await keepCopy(ref, context, host);
    wasCreated = true;
  };
}

/** The objects that people may change by hand in a run with these options. */
const childrenWith = async (manualChanges: ManualChanges) =>
  (await simulation({ ...copies(() => keepCopy), manualChanges })).baseline.children;

describe('a manual change of a child', () => {
  for (const does of ['Background', 'Foreground', 'Orphan', 'empty'] as const) {
    test(`is reverted by a correct controller: ${does}`, async () => {
      assert.deepEqual(await violationsOf(does, keepCopy), []);
    });
  }

  test('detects that a controller does not recreate a child', async () => {
    const [first] = await violationsOf('Background', forgetful());
    assert.match(first ?? '', /^secrets\/default\/source is missing/);
  });

  test('detects that labels are not restored, unless the child is created only once', async () => {
    const careless: CopyWork = keepCopy;
    const [first] = await violationsOf('unlabel', careless);
    assert.match(first ?? '', /^secrets\/default\/source\.metadata\.labels is missing/);
    assert.deepEqual(await violationsOf('unlabel', careless, { controllers, createdOnce: /^secrets\// }), []);
  });

  test('detects that a controller recreates data that cannot be restored', async () => {
    assert.deepEqual(await violationsOf('Background', keepCopy, { controllers, destroysData: () => true }), [
      `${copy} has data again although the original data was lost`,
    ]);
  });

  test('is planned for every child after a write, and at rest when it exists', async () => {
    const copying = await simulation({ ...copies(() => keepCopy), manualChanges: { controllers } });
    assert.deepEqual(copying.baseline.children, [{ key: copy, isAtStart: false }]);
    const planned = (children: readonly Child[]) =>
      handPlans({ ...copying.baseline, children }, { isOperator, withStart: true }).flatMap(({ faults }) =>
        faults.map((fault) => (fault.fault === 'hand' && fault.at === 0 ? `${fault.does} at rest` : fault.fault)),
      );
    assert.deepEqual(
      planned(copying.baseline.children),
      Array.from({ length: 5 }, () => 'hand'),
    );
    const rest = planned([{ key: copy, isAtStart: true }]).filter((each) => each !== 'hand');
    assert.deepEqual(
      rest,
      ['Background', 'Foreground', 'Orphan', 'unlabel', 'empty'].map((does) => `${does} at rest`),
    );
  });

  test('is planned for objects without an owner, too, if they are named', async () => {
    const unowned = [{ kind: Secret, keys: /^secrets\/default\/source$/ }];
    assert.deepEqual(await childrenWith({ controllers: [] }), []);
    assert.deepEqual(await childrenWith({ controllers: [], unowned }), [{ key: copy, isAtStart: false }]);
  });
});
