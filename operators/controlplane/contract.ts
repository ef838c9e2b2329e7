// SPDX-License-Identifier: Apache-2.0
import type { Contract } from '@forge/runtime/contract/contract.ts';
import { rowsOf } from '@forge/runtime/contract/rows.ts';
import { adminCredentialReady } from './contract/admin-credential.ts';
import { catalogReady } from './contract/catalog.ts';
import { adminPasswordReady, dbCredentialsReady } from './contract/credentials.ts';
import { teardown, teardownEvents } from './contract/deletion.ts';
import { duplicateReady, readyTexts } from './contract/duplicate.ts';
import { infrastructureReady } from './contract/infrastructure.ts';
import { keystoneReady } from './contract/keystone.ts';
import { korcReady } from './contract/korc.ts';
import { rotationEvents, rotationReady } from './contract/rotation.ts';

/** All that the operator says about a ControlPlane. */
export const controlPlaneContract: Contract = {
  conditions: rowsOf([
    duplicateReady,
    infrastructureReady,
    dbCredentialsReady,
    adminPasswordReady,
    keystoneReady,
    korcReady,
    teardown,
    adminCredentialReady,
    catalogReady,
  ]),
  events: rowsOf([teardownEvents]),
  ready: readyTexts,
};

/** All that it says about a CredentialRotation. */
export const rotationContract: Contract = {
  conditions: rowsOf([rotationReady]),
  events: rowsOf([rotationEvents]),
  ready: 'byStep',
};
