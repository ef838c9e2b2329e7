// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { failedJob } from './rechecks.ts';

const bootstrapJob = { status: 'False', recheck: seconds(60), suffix: 'optional' } as const;

/** What is reported about the first administrator and the catalog. */
export const bootstrapReady = conditionCases('BootstrapReady', {
  running: { ...bootstrapJob, reason: 'BootstrapInProgress', message: 'Keystone bootstrap job is running' },
  failed: { ...failedJob, reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
  retried: { ...bootstrapJob, reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
  complete: { status: 'True', reason: 'BootstrapComplete', message: 'Keystone bootstrap completed successfully' },
});

/** Events about bootstrap. */
export const bootstrapEvents = eventCases({
  bootstrapComplete: {
    type: 'Normal',
    reason: 'BootstrapComplete',
    message: 'Keystone bootstrap completed successfully',
  },
  bootstrapFailed: { type: 'Warning', reason: 'BootstrapFailed', message: 'Keystone bootstrap job failed: {error}' },
});
