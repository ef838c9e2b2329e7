// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { podImages } from './pod-images.ts';

/** An image without a recipe. */
const requestImage = () => Promise.reject(new Error('no recipe'));

test('each failed pull doubles the delay of the next one, from ten seconds to five minutes', async () => {
  const clock = virtualClock();
  const images = podImages({ requestImage, clock, changed: () => {}, event: () => {} });
  const delays: number[] = [];
  const reasons: string[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    assert.equal(images.get('web:1').state, 'pulling');
    await clock.settle();
    const found = images.get('web:1');
    assert.ok(found.state === 'failed');
    const delay = seconds((found.retryAt - clock.now()) / 1000);
    delays.push(delay / 1000);
    reasons.push(`${found.waiting.reason}: ${found.waiting.message}`);
    await clock.advance(delay);
  }
  assert.deepEqual(delays, [10, 20, 40, 80, 160, 300, 300]);
  assert.deepEqual(reasons.slice(0, 2), [
    'ErrImagePull: no recipe',
    'ImagePullBackOff: Back-off pulling image "web:1": ErrImagePull: no recipe',
  ]);
});
