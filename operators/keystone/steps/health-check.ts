// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import type { Keystone } from '../api/keystone.ts';
import { apiPort, internalUrl, namesOf } from '../api/names.ts';
import type { ApiAddress, Health } from '../clients/keystone-api.ts';
import { apiReady } from '../conditions/health-check.ts';
import { deployment } from './deployment.ts';
import { step } from './step.ts';

/** Asks the API itself: pods may be ready while it cannot authenticate anyone. */
export const healthCheck = step({
  name: 'HealthCheck',
  condition: 'KeystoneAPIReady',
  needs: { deployment },
  async run({ object: keystone, services, signal }) {
    // Only an endpoint that users see already: a hanging API must not delay the status that announces it.
    if (keystone.status?.endpoint === undefined) return waiting(apiReady.noEndpoint());
    const address = addressOf(keystone);
    const { url: endpoint } = address;
    const health = await services.keystoneApi.health(address, signal);
    if (health.found === 'healthy') return ready(apiReady.healthy({ endpoint }));
    return waiting(statementOf(health, endpoint));
  },
});

/** Inside the cluster, also where users come through a gateway: its DNS and TLS say nothing about the API. */
function addressOf(keystone: Keystone): ApiAddress {
  const { uid: owner = '', namespace = '' } = keystone.metadata;
  return { owner, url: internalUrl(keystone), service: { namespace, name: namesOf(keystone).api, port: apiPort } };
}

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
