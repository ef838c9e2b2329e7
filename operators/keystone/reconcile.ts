// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { Keystone } from './keystone.ts';
import { fieldManager } from './names.ts';
import type { Services } from './step.ts';
import { bootstrap } from './steps/bootstrap.ts';
import { config } from './steps/config.ts';
import { database } from './steps/database.ts';
import { dbConnection } from './steps/db-connection-secret.ts';
import { deployment } from './steps/deployment.ts';
import { healthCheck } from './steps/health-check.ts';
import { credentialKeys, fernetKeys } from './steps/keys.ts';
import { secrets } from './steps/secrets.ts';

/** Drives every Keystone to a running identity service. */
export const keystoneController = (services: Services) =>
  stepController({
    name: 'keystone-controller',
    for: Keystone,
    steps: [secrets, dbConnection, config, fernetKeys, credentialKeys, database, deployment, healthCheck, bootstrap],
    services,
    fieldManager,
    metricPrefix: 'keystone_operator',
  });
