// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageFailed } from '../storage/storage.ts';
import { Store } from '../storage/store.ts';
import { respondDurably } from './respond-durably.ts';

describe('a request that meets a disk which fails again just after it has recovered', () => {
  for (const method of ['GET', 'POST']) {
    test(`is tried three times, then refused (${method})`, async () => {
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
