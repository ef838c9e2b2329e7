// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { probe } from './rechecks.ts';

/** What is reported about the API pods. */
export const deploymentReady = conditionCases('DeploymentReady', {
  waiting: {
    ...probe,
    reason: 'WaitingForDeployment',
    message: 'Keystone API deployment is not yet available',
    suffix: 'optional',
  },
  available: { status: 'True', reason: 'DeploymentReady', message: 'Keystone API deployment is available' },
});
