// SPDX-License-Identifier: Apache-2.0
import { expiringMemo } from '@forge/runtime/collections/expiring-memo.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Health, KeystoneApi } from './keystone-api.ts';

const goodFor = seconds(60);
const badFor = seconds(10);
// Forgetting one costs a probe.
const remembered = 4096;
const holdsFor = ({ found }: Health) => (found === 'healthy' ? goodFor : badFor);

/** A client that reuses each result for a while: every probe leaves a warning in Keystone's log. */
export function cachedHealth(api: KeystoneApi, clock: Clock): KeystoneApi {
  const verdicts = expiringMemo({ clock, size: remembered, holdsFor });
  return { health: (address, signal) => verdicts.get(address.owner, () => api.health(address, signal)) };
}
