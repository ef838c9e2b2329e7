// SPDX-License-Identifier: Apache-2.0
import { conditionRows } from '@forge/runtime/contract/rows.ts';
import { probe } from './rechecks.ts';

/** What is said of the API pods. */
export const deploymentReady = conditionRows('DeploymentReady', {
  waiting: {
    ...probe,
    reason: 'WaitingForDeployment',
    message: 'Keystone API deployment is not yet available',
    suffix: 'optional',
  },
  available: { status: 'True', reason: 'DeploymentReady', message: 'Keystone API deployment is available' },
});
