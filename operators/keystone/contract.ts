// SPDX-License-Identifier: Apache-2.0
import type { Contract } from '@forge/runtime/contract/contract.ts';
import { rowsOf } from '@forge/runtime/contract/rows.ts';
import { bootstrapEvents, bootstrapReady } from './contract/bootstrap.ts';
import { databaseEvents, databaseReady } from './contract/database.ts';
import { deploymentReady } from './contract/deployment.ts';
import { apiReady } from './contract/health-check.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from './contract/keys.ts';
import { secretsReady } from './contract/secrets.ts';

/** All that the operator says about a Keystone. */
export const contract: Contract = {
  conditions: rowsOf([
    secretsReady,
    fernetKeysReady,
    credentialKeysReady,
    databaseReady,
    deploymentReady,
    apiReady,
    bootstrapReady,
  ]),
  events: rowsOf([keyEvents, databaseEvents, bootstrapEvents]),
};
