// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import type { Health } from '../clients/keystone-api.ts';
import { apiReady } from '../contract/health-check.ts';
import { internalUrl } from '../names.ts';
import { step } from '../step.ts';
import { deployment } from './deployment.ts';

/** Asks the API itself: pods may be ready while it cannot authenticate anyone. */
export const healthCheck = step({
  name: 'HealthCheck',
  condition: 'KeystoneAPIReady',
  needs: { deployment },
  async run({ object: keystone, services, signal }) {
    // Only an endpoint that users see already: a hanging API must not delay the status that announces it.
    if (keystone.status?.endpoint === undefined) return waiting(apiReady.noEndpoint());
    const endpoint = internalUrl(keystone);
    const health = await services.keystoneApi.health(endpoint, signal);
    if (health.found === 'healthy') return ready(apiReady.healthy({ endpoint }));
    return waiting(statementOf(health, endpoint));
  },
});

function statementOf(health: Exclude<Health, { found: 'healthy' }>, endpoint: string): Statement {
  switch (health.found) {
    case 'timeout':
      return apiReady.timedOut();
    case 'not-resolvable':
      return apiReady.notResolvable();
    case 'not-connected':
      return apiReady.notConnected({ error: health.error });
    case 'failed':
      return apiReady.failed({ error: health.error });
    case 'unhealthy':
      return apiReady.unhealthy({ status: health.status });
    case 'degraded':
      return apiReady.degraded({ endpoint, what: health.what });
  }
}
