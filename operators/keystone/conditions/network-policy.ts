// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';

/** What is reported about the isolation of the API pods. */
export const networkPolicyReady = conditionCases('NetworkPolicyReady', {
  notRequired: {
    status: 'True',
    reason: 'NetworkPolicyNotRequired',
    message: 'Network isolation is not configured',
  },
  configured: { status: 'True', reason: 'NetworkPolicyReady', message: 'NetworkPolicy is configured' },
});
