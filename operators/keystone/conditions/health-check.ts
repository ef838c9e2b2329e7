// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { probe } from './rechecks.ts';

/** What probes of the API find. */
export const apiReady = conditionCases('KeystoneAPIReady', {
  noEndpoint: { ...probe, reason: 'EndpointNotReady', message: 'endpoint not yet configured' },
  notResolvable: { ...probe, reason: 'EndpointNotReady', message: 'endpoint not resolvable' },
  timedOut: { ...probe, reason: 'HealthCheckTimeout', message: 'health check timed out' },
  notConnected: { ...probe, reason: 'ConnectionFailed', message: 'connection failed: {error}' },
  failed: { ...probe, reason: 'HealthCheckFailed', message: 'health check failed: {error}' },
  unhealthy: { ...probe, reason: 'APIUnhealthy', message: 'Keystone API returned HTTP {status}' },
  degraded: {
    ...probe,
    reason: 'APIDegraded',
    message: 'Keystone API at {endpoint} answers but cannot authenticate: {what}',
  },
  healthy: {
    status: 'True',
    reason: 'APIHealthy',
    message: 'Keystone API is responding at {endpoint}',
    recheck: seconds(60),
  },
});
