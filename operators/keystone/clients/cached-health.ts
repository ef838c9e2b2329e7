// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { Health, KeystoneApi } from './keystone-api.ts';

const goodFor = seconds(60);
const badFor = seconds(10);
// Forgetting one costs a probe.
const remembered = 4096;

/** The client with each verdict reused for a while, whatever wakes its reader: a probe leaves a warning in Keystone's log. */
export function cachedHealth(api: KeystoneApi, clock: Clock): KeystoneApi {
  const verdicts = boundedMap<{ health: Health; until: number }>(remembered);
  return {
    async health(address, signal) {
      const known = verdicts.get(address.owner);
      if (known !== undefined && clock.monotonic() < known.until) return known.health;
      const health = await api.health(address, signal);
      verdicts.set(address.owner, {
        health,
        until: clock.monotonic() + (health.found === 'healthy' ? goodFor : badFor),
      });
      return health;
    },
  };
}
