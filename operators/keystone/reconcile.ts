// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { Keystone } from './api/keystone.ts';
import { fieldManager } from './api/names.ts';
import type { Services } from './clients/services.ts';
import { autoscaling } from './steps/autoscaling.ts';
import { bootstrap } from './steps/bootstrap.ts';
import { config } from './steps/config.ts';
import { database } from './steps/database.ts';
import { dbConnection } from './steps/db-connection-secret.ts';
import { deployment } from './steps/deployment.ts';
import { finalizeDatabase } from './steps/finalize-database.ts';
import { finalizeOpenBao } from './steps/finalize-open-bao.ts';
import { healthCheck } from './steps/health-check.ts';
import { httpRoute } from './steps/http-route.ts';
import { credentialKeys, fernetKeys } from './steps/keys.ts';
import { logging } from './steps/logging.ts';
import { networkPolicy } from './steps/network-policy.ts';
import { policyValidation } from './steps/policy-validation.ts';
import { protectBackups } from './steps/protect-backups.ts';
import { pruneConfigMaps } from './steps/prune-config-maps.ts';
import { secrets } from './steps/secrets.ts';
import { trustFlush } from './steps/trust-flush.ts';

/** What a Keystone consists of; which steps need which is declared by each. */
export const keystoneSteps = [
  secrets,
  dbConnection,
  config,
  logging,
  protectBackups,
  fernetKeys,
  credentialKeys,
  networkPolicy,
  database,
  policyValidation,
  deployment,
  pruneConfigMaps,
  httpRoute,
  healthCheck,
  autoscaling,
  bootstrap,
  trustFlush,
];

/** Drives every Keystone to a running identity service. */
export const keystoneController = (services: Services) =>
  stepController({
    name: 'keystone-controller',
    for: Keystone,
    steps: keystoneSteps,
    deletion: [finalizeDatabase, finalizeOpenBao],
    services,
    fieldManager,
    metricPrefix: 'keystone_operator',
  });
