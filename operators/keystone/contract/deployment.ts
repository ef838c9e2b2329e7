// SPDX-License-Identifier: Apache-2.0
import { conditionRows } from '@forge/runtime/contract/rows.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { probe } from './rechecks.ts';

const available = {
  status: 'True',
  reason: 'DeploymentReady',
  message: 'Keystone API deployment is available',
} as const;

/** What is said of the API pods. */
export const deploymentReady = conditionRows('DeploymentReady', {
  waiting: {
    ...probe,
    reason: 'WaitingForDeployment',
    message: 'Keystone API deployment is not yet available',
    suffix: 'optional',
  },
  available,
  /** Available while old pods are replaced: looked at again, since a rollout that hangs wakes nobody. */
  rollingOut: { ...available, recheck: seconds(10) },
});
