// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { seconds, type Duration } from '../../environment/duration.ts';
import { ready, waiting, type Outcome } from '../../steps/outcome.ts';
import { home, siteOperator, type SiteOperator } from '../../test/site-operator.ts';
import { step } from '../../test/site-steps.ts';
import { Site } from '../../test/site.ts';

describe('how long a step has seen a state', () => {
  let operator: SiteOperator;
  /** What the step asks for in its next runs: key and whether the state holds. */
  let states: Record<string, boolean>;
  let seen: Record<string, Duration>;
  let broken: boolean;
  let gate: Outcome<undefined, object>;

  const gating = step({ name: 'Gate', condition: 'Open', run: async () => await Promise.resolve(gate) });
  const watching = step({
    name: 'Watch',
    condition: 'Checked',
    needs: { gating },
    async run({ seenFor }) {
      seen = Object.fromEntries(Object.entries(states).map(([key, holds]) => [key, seenFor(key, holds)]));
      if (broken) throw new Error('no network');
      return await Promise.resolve(waiting('Wait', '', seconds(10)));
    },
  });

  beforeEach(async () => {
    operator = await siteOperator();
    states = { down: true };
    broken = false;
    gate = ready('Open', '', { recheck: seconds(10) });
    await operator.start(gating, watching);
  });

  afterEach(() => operator[Symbol.asyncDispose]());

  const after = async (span: Duration) => {
    await operator.cluster.clock.advance(span);
    return seen;
  };

  test('counts from the first run that sees it, each state for itself', async () => {
    assert.deepEqual(seen, { down: 0 });
    assert.deepEqual(await after(seconds(30)), { down: seconds(30) });
    states = { down: true, other: true };
    assert.deepEqual(await after(seconds(20)), { down: seconds(50), other: seconds(10) });
  });

  test('begins again when it was over', async () => {
    await after(seconds(30));
    states = { down: false };
    assert.deepEqual(await after(seconds(10)), { down: 0 });
    states = { down: true };
    assert.deepEqual(await after(seconds(20)), { down: seconds(10) });
  });

  test('begins again when a run did not ask', async () => {
    await after(seconds(30));
    states = {};
    await after(seconds(10));
    states = { down: true };
    assert.deepEqual(await after(seconds(20)), { down: seconds(10) });
  });

  test('begins again when the step was skipped: nobody saw what happened meanwhile', async () => {
    await after(seconds(30));
    gate = waiting('Closed', '', seconds(10));
    await after(seconds(20));
    gate = ready('Open', '', { recheck: seconds(10) });
    assert.deepEqual(await after(seconds(20)), { down: seconds(10) });
  });

  test('goes on through runs that throw, asked or not', async () => {
    await after(seconds(30));
    broken = true;
    await after(seconds(5));
    states = {};
    await after(seconds(5));
    states = { down: true };
    await after(seconds(10));
    broken = false;
    // 110 seconds, with a pass every ten.
    assert.ok(((await after(seconds(60)))['down'] ?? 0) > seconds(99));
  });

  test('begins again when it was over, also when the run that saw that threw', async () => {
    await after(seconds(30));
    states = { down: false };
    broken = true;
    await after(seconds(20));
    broken = false;
    states = { down: true };
    const { down = 0 } = await after(seconds(60));
    assert.ok(down <= seconds(60), String(down));
  });

  test('begins again with another resource of the name', async () => {
    await after(seconds(30));
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
    const { apiVersion, kind } = Site;
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: { text: 'hello' } });
    await operator.cluster.clock.settle();
    assert.deepEqual(seen, { down: 0 });
    assert.deepEqual(await after(seconds(10)), { down: seconds(10) });
  });
});
