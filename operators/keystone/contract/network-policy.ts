// SPDX-License-Identifier: Apache-2.0
import { conditionRows } from '@forge/runtime/contract/rows.ts';

/** What is said of the isolation of the API pods. */
export const networkPolicyReady = conditionRows('NetworkPolicyReady', {
  notRequired: {
    status: 'True',
    reason: 'NetworkPolicyNotRequired',
    message: 'Network isolation is not configured',
  },
  configured: { status: 'True', reason: 'NetworkPolicyReady', message: 'NetworkPolicy is configured' },
});
