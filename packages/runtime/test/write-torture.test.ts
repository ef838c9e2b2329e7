// SPDX-License-Identifier: Apache-2.0
import { describe, test } from 'node:test';
import { inWorker } from './in-worker.ts';

const schedules = 250;

describe('a caching client', () => {
  test('never conflicts with its own writes and overwrites nobody, however late the watch delivers them', async () => {
    await inWorker(new URL('write-torture.ts', import.meta.url), 'tortureWrites', 1, schedules);
  });
});
