// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';

const failed = {
  status: 'False',
  reason: 'PolicyValidationFailed',
  recheck: seconds(30),
  counts: 'error',
} as const;

/** What is reported about the policy overrides. */
export const policyValidReady = conditionCases('PolicyValidReady', {
  notRequired: { status: 'True', reason: 'NotRequired', message: 'No policy overrides configured' },
  running: {
    status: 'False',
    reason: 'PolicyValidationInProgress',
    message: 'Policy validation job is running',
    recheck: seconds(15),
    suffix: 'optional',
  },
  passed: { status: 'True', reason: 'PolicyValidationPassed', message: 'Policy validation completed successfully' },
  failed: { ...failed, message: 'Policy validation failed: {error}' },
  failedSilently: {
    ...failed,
    message: 'Policy validation failed; check Job {job} logs: kubectl logs -n {namespace} job/{job}',
  },
});
