// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Store } from '../storage/store.ts';

/** What strategies and access control depend on. */
export interface CoreContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** CIDR of Service cluster IPs: `10.96.0.0/16`. */
  readonly serviceCidr: string;
}
