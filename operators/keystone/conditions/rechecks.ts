// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** A Secret, or who writes it, is looked at again this soon. */
export const secretPolling = { status: 'False', recheck: seconds(15) } as const;

/** A Job on the database, with the trouble of its pods. */
export const databaseJob = { status: 'False', recheck: seconds(30), suffix: 'optional' } as const;

/** A Job that has failed for good, with the trouble of its pods. */
export const failedJob = { status: 'False', recheck: 'backoff', suffix: 'optional' } as const;

/** What is asked again this soon. */
export const probe = { status: 'False', recheck: seconds(10) } as const;
