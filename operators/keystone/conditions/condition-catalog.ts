// SPDX-License-Identifier: Apache-2.0
import { casesOf } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { hpaReady } from './autoscaling.ts';
import { bootstrapEvents, bootstrapReady } from './bootstrap.ts';
import { databaseEvents, databaseReady } from './database.ts';
import { deletionEvents, secretsFinalized } from './deletion.ts';
import { deploymentReady } from './deployment.ts';
import { apiReady } from './health-check.ts';
import { httpRouteReady } from './http-route.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from './keys.ts';
import { loggingEvents, loggingHealthy } from './logging.ts';
import { networkPolicyReady } from './network-policy.ts';
import { policyValidReady } from './policy-validation.ts';
import { secretsReady } from './secrets.ts';
import { trustFlushEvents, trustFlushReady } from './trust-flush.ts';
import { upgradeEvents } from './upgrade.ts';

/** Everything that the operator reports about a Keystone. */
export const keystoneConditions: ConditionCatalog = {
  conditions: casesOf([
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
  events: casesOf([
    loggingEvents,
    keyEvents,
    databaseEvents,
    upgradeEvents,
    bootstrapEvents,
    trustFlushEvents,
    deletionEvents,
  ]),
};
