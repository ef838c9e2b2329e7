// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** For what is asked again, because nothing reports a change. */
export const soon = seconds(5);
