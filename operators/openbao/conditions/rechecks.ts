// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** The recheck of what no watch reports. */
export const soon = seconds(5);
