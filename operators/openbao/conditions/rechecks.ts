// SPDX-License-Identifier: Apache-2.0
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';

/** The recheck of what no watch reports. */
export const soon = seconds(5);

/** How often it is asked who is a member of the Raft cluster. */
export const membershipRecheck = minutes(1);
