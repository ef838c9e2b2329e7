// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { progress } from '../terminal/progress.ts';
import { reportingImages } from './images.ts';

test('the error of an image is shown once, even if it is pulled again', async () => {
  let written = '';
  const shown = progress({ write: (text) => (written += text), clock: virtualClock(), colour: false });
  const images = reportingImages(
    { ensure: (reference) => Promise.reject(new Error(`${reference} is unknown`)) },
    shown,
  );
  for (const reference of ['one:1', 'two:2', 'one:1', 'two:2']) {
    await assert.rejects(images.ensure(reference), /is unknown/);
  }
  assert.deepEqual(written.match(/\S+ is unknown/g), ['one:1 is unknown', 'two:2 is unknown']);
});
