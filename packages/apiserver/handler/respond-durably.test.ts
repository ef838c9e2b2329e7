// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageFailed } from '../storage/storage.ts';
import { Store } from '../storage/store.ts';
import { respondDurably } from './respond-durably.ts';

describe('a request on a disk that fails again right after recovery', () => {
  for (const method of ['GET', 'POST']) {
    test(`is attempted three times, then rejected (${method})`, async () => {
      let tries = 0;
      const { status } = await respondDurably(new Store(), method, () => {
        tries += 1;
        if (tries <= 10) throw new StorageFailed('store.log', new Error('i/o error'));
        return { status: 200, text: '' };
      });
      assert.deepEqual([tries, status], [3, 500]);
    });
  }
});
