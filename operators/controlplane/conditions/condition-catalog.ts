// SPDX-License-Identifier: Apache-2.0
import { casesOf } from '@forge/runtime/conditions/cases.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { adminCredentialReady } from './admin-credential.ts';
import { catalogReady } from './catalog.ts';
import { adminPasswordReady, dbCredentialsReady } from './credentials.ts';
import { teardown, teardownEvents } from './deletion.ts';
import { duplicateReady, readyTexts } from './duplicate.ts';
import { infrastructureReady } from './infrastructure.ts';
import { keystoneReady } from './keystone.ts';
import { korcReady } from './korc.ts';
import { rotationEvents, rotationReady } from './rotation.ts';

/** Everything that the operator reports about a ControlPlane. */
export const controlPlaneConditions: ConditionCatalog = {
  conditions: casesOf([
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
  events: casesOf([teardownEvents]),
  ready: readyTexts,
};

/** Everything that it reports about a CredentialRotation. */
export const rotationConditions: ConditionCatalog = {
  conditions: casesOf([rotationReady]),
  events: casesOf([rotationEvents]),
  ready: 'byStep',
};
