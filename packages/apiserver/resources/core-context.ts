// SPDX-License-Identifier: Apache-2.0
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Store } from '../storage/store.ts';

/** What strategies and access control work with. */
export interface CoreContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** CIDR of Service cluster IPs: `10.96.0.0/16`. */
  readonly serviceCidr: string;
}
