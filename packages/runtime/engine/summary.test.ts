// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { minutes, seconds } from '../environment/duration.ts';
import { degraded, failed, ready, waiting, type Outcome } from '../steps/outcome.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';

const fine = async () => ready('Fine', '');

describe('the summary of a pass', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const summary = step({
    name: 'Summary',
    conditions: [{ type: 'Degraded', inverse: true, informational: true }],
    writes: ['url'],
    async run({ pending }) {
      const bad = pending.conditions?.find(({ type, status }) => /.Ready$/.test(type) && status !== 'True');
      const { reason = 'Fine', message = '' } = bad ?? {};
      const status = bad === undefined ? 'False' : 'True';
      return ready('Summed', '', { status: { url: reason }, conditions: { Degraded: { status, reason, message } } });
    },
  });

  test('sees what the pass is about to save, also when steps wait, fail or throw', async () => {
    operator.controller = { summary };
    const wait = seconds(10);
    let outcome = (): Outcome<undefined, object> => waiting('Wait', 'soon', wait);
    const main = step({ name: 'Main', condition: 'MainReady', run: async () => outcome() });
    const top = step({ name: 'Top', condition: 'TopReady', needs: { main }, run: fine });
    await operator.start(main, top);
    assert.deepEqual(await operator.conditions(), [
      'MainReady False Wait',
      'Degraded True Wait',
      'Ready False NotAllReady',
    ]);
    outcome = () => degraded('Fine', '');
    await operator.patch({ text: 'new' });
    outcome = () => {
      throw new Error('no network');
    };
    await operator.patch({ text: 'newer' });
    assert.equal((await operator.site()).status?.url, 'Fine');
    outcome = () => failed('Broken', '');
    await operator.cluster.clock.advance(seconds(2));
    assert.equal((await operator.site()).status?.url, 'Broken');
    assert.equal((await operator.conditions())[1], 'TopReady True Fine');
  });

  test('costs no additional write', async () => {
    operator.controller = { summary };
    await operator.start(step({ name: 'Main', condition: 'MainReady', run: fine }));
    assert.deepEqual(operator.writes(), ['PUT sites/home/status']);
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
  });
});
