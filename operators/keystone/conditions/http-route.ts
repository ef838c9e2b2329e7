// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { probe } from './rechecks.ts';

/** What is reported about the exposure of the API outside the cluster. */
export const httpRouteReady = conditionCases('HTTPRouteReady', {
  notRequired: {
    status: 'True',
    reason: 'HTTPRouteNotRequired',
    message: 'External API exposure via Gateway API is not configured',
  },
  notInstalled: {
    status: 'False',
    reason: 'GatewayAPINotInstalled',
    message:
      'spec.gateway is set but the gateway.networking.k8s.io/v1 HTTPRoute CRD is not installed in this cluster; install Gateway API to enable external API exposure',
  },
  notAccepted: { ...probe, reason: 'HTTPRouteNotAccepted', message: 'HTTPRoute not yet accepted by Gateway' },
  accepted: { status: 'True', reason: 'HTTPRouteAccepted', message: 'HTTPRoute accepted by Gateway' },
});
