// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** For Secrets and those who write them. */
export const secretPolling = { status: 'False', recheck: seconds(15) } as const;

/** For a Job on the database; the problem of its pods is appended. */
export const databaseJob = { status: 'False', recheck: seconds(30), suffix: 'optional' } as const;

/** For a Job that has failed; the problem of its pods is appended. */
export const failedJob = { status: 'False', recheck: 'backoff', suffix: 'optional' } as const;

/** For what must be asked again, because nothing reports a change. */
export const probe = { status: 'False', recheck: seconds(10) } as const;
