// SPDX-License-Identifier: Apache-2.0
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Store } from '../storage/store.ts';

/** What a kind's own rules may look at beside the object. */
export interface CoreContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The network Service addresses are taken from: `10.96.0.0/16`. */
  readonly serviceCidr: string;
}
