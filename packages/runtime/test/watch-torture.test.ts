// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { inWorker } from './in-worker.ts';

const seeds = 20;
const faults = 1000;

describe('a cache', () => {
  test(`equals the server after ${faults} faults of its watches, whatever their order`, async () => {
    await inWorker(new URL('watch-torture.ts', import.meta.url), 'tortureWatches', 1, seeds, faults);
  });
});
