// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../environment/duration.ts';
import { ready } from '../../steps/outcome.ts';
import { siteOperator } from '../../test/site-operator.ts';
import { step } from '../../test/site-steps.ts';

test('a step sends an Event once for each value, however often it runs', async () => {
  await using operator = await siteOperator();
  let runs = 0;
  const rejecting = step({
    name: 'Reject',
    condition: 'Checked',
    async run({ object, event }) {
      runs += 1;
      await event({ type: 'Warning', reason: 'Rejected', message: 'no good' }, { once: object.spec.text ?? '' });
      return ready('Fine', '');
    },
  });
  await operator.start(rejecting);
  const events = () => operator.writes().filter((write) => write.includes('events'));
  assert.deepEqual(events(), ['POST events']);
  await operator.cluster.clock.advance(minutes(30));
  assert.ok(runs > 1);
  assert.deepEqual(events(), []);
  await operator.patch({ text: 'other' });
  assert.equal(events().length, 1);
});
