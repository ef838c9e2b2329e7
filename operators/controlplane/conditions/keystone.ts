// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { childPolling, refusedRequest } from './rechecks.ts';

/** What is reported about the Keystone. */
export const keystoneReady = conditionCases('KeystoneReady', {
  waitingForInfrastructure: {
    status: 'False',
    reason: 'WaitingForInfrastructure',
    message: 'InfrastructureReady is not True; Keystone projection deferred',
    recheck: seconds(5),
  },
  invalidInterval: {
    ...refusedRequest,
    reason: 'InvalidRotationInterval',
    message: 'invalid keystone rotation interval: {error}',
  },
  refused: { ...refusedRequest, reason: 'KeystoneError', message: 'create-or-update Keystone: {error}' },
  waiting: {
    ...childPolling,
    suffix: 'optional',
    reason: 'WaitingForKeystone',
    message: 'Keystone "{name}" is not ready',
  },
  ready: { status: 'True', reason: 'KeystoneReady', message: 'Projected Keystone CR is ready' },
});
