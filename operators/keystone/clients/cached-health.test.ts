// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { apiAt } from '../test/api-address.ts';
import { cachedHealth } from './cached-health.ts';
import type { Health } from './keystone-api.ts';

describe('a verdict about the API', () => {
  const { signal } = new AbortController();
  const address = apiAt('http://identity:5000/v3');

  for (const [health, expiry] of [
    [{ found: 'healthy' }, 60],
    [{ found: 'degraded', what: 'HTTP 500' }, 10],
  ] as const satisfies (readonly [Health, number])[]) {
    test(`is reused for ${expiry} s when it is ${health.found}, for this very Keystone`, async () => {
      const clock = virtualClock();
      let probes = 0;
      const api = cachedHealth({ health: async () => (probes++, health) }, clock);
      const probesAfter = async (pause: number, owner = address.owner) => {
        await clock.advance(seconds(pause));
        assert.deepEqual(await api.health({ ...address, owner }, signal), health);
        return probes;
      };
      assert.deepEqual(
        [await probesAfter(0), await probesAfter(expiry - 1), await probesAfter(1), await probesAfter(1, 'another')],
        [1, 1, 2, 3],
      );
    });
  }

  test('is not reused for longer when the clock is set back', async () => {
    const clock = virtualClock();
    let probes = 0;
    let setBack = 0;
    const health: Health = { found: 'healthy' };
    const own = { ...clock, now: () => clock.now() - setBack };
    const api = cachedHealth({ health: async () => (probes++, health) }, own);
    await api.health(address, signal);
    setBack = minutes(60);
    await clock.advance(minutes(1));
    await api.health(address, signal);
    assert.equal(probes, 2);
  });
});
