// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/duration.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { step } from '../keystone.ts';
import { internalUrl } from '../names.ts';
import { deployment } from './deployment.ts';

const retry = seconds(10);

/** Asks the API itself: pods may be ready while it cannot authenticate anyone. */
export const healthCheck = step({
  name: 'HealthCheck',
  condition: 'KeystoneAPIReady',
  needs: { deployment },
  async run({ object: keystone, services, signal }) {
    // Only an endpoint that users see already: a hanging API must not delay the status that announces it.
    if (keystone.status?.endpoint === undefined) {
      return waiting('EndpointNotReady', 'endpoint not yet configured', retry);
    }
    const url = internalUrl(keystone);
    const health = await services.keystoneApi.health(url, signal);
    if (!health.healthy) return waiting(health.reason, health.message, retry);
    return ready('APIHealthy', `Keystone API is responding at ${url}`, { recheck: seconds(60) });
  },
});
