// SPDX-License-Identifier: Apache-2.0
import type { Contract } from '@forge/runtime/contract/contract.ts';
import { rowsOf } from '@forge/runtime/contract/rows.ts';
import { hpaReady } from './contract/autoscaling.ts';
import { bootstrapEvents, bootstrapReady } from './contract/bootstrap.ts';
import { databaseEvents, databaseReady } from './contract/database.ts';
import { deletionEvents, secretsFinalized } from './contract/deletion.ts';
import { deploymentReady } from './contract/deployment.ts';
import { apiReady } from './contract/health-check.ts';
import { httpRouteReady } from './contract/http-route.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from './contract/keys.ts';
import { loggingEvents, loggingHealthy } from './contract/logging.ts';
import { networkPolicyReady } from './contract/network-policy.ts';
import { policyValidReady } from './contract/policy-validation.ts';
import { secretsReady } from './contract/secrets.ts';
import { trustFlushEvents, trustFlushReady } from './contract/trust-flush.ts';
import { upgradeEvents } from './contract/upgrade.ts';

/** All that the operator says about a Keystone. */
export const contract: Contract = {
  conditions: rowsOf([
    secretsReady,
    secretsFinalized,
    loggingHealthy,
    fernetKeysReady,
    credentialKeysReady,
    networkPolicyReady,
    databaseReady,
    policyValidReady,
    deploymentReady,
    httpRouteReady,
    apiReady,
    hpaReady,
    bootstrapReady,
    trustFlushReady,
  ]),
  events: rowsOf([
    loggingEvents,
    keyEvents,
    databaseEvents,
    upgradeEvents,
    bootstrapEvents,
    trustFlushEvents,
    deletionEvents,
  ]),
};
