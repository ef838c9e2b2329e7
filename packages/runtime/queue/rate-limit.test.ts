// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { rateLimit } from './rate-limit.ts';

test('a key that is enqueued more than a hundred times a second is limited, and no other', async () => {
  const clock = virtualClock();
  const isTooMuch = rateLimit(clock);
  const woken = Array.from({ length: 101 }, () => isTooMuch('default/fought-over'));
  assert.deepEqual([woken.indexOf(true), isTooMuch('default/other')], [100, false]);
  await clock.advance(seconds(1));
  assert.equal(isTooMuch('default/fought-over'), false);
});
