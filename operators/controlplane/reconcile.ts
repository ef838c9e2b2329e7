// SPDX-License-Identifier: Apache-2.0
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { ControlPlane } from './api/control-plane.ts';
import { CredentialRotation } from './api/credential-rotation.ts';
import { fieldManager, metricPrefix } from './api/names.ts';
import type { RotationServices, Services } from './clients/services.ts';
import { readyTexts } from './conditions/duplicate.ts';
import { adminCredential } from './steps/admin-credential.ts';
import { adminPassword } from './steps/admin-password.ts';
import { catalog } from './steps/catalog.ts';
import { cloudsYaml } from './steps/clouds-yaml.ts';
import { dbCredentials } from './steps/db-credentials.ts';
import { duplicate } from './steps/duplicate.ts';
import { imports } from './steps/imports.ts';
import { infrastructure } from './steps/infrastructure.ts';
import { keystone } from './steps/keystone.ts';
import { korc } from './steps/korc.ts';
import { passwordCloud } from './steps/password-cloud.ts';
import { rotateCredential } from './steps/rotate-credential.ts';
import { servicesStatus } from './steps/services-status.ts';
import { teardown } from './steps/teardown/teardown.ts';

/** The steps of a ControlPlane. Of the steps that share a condition, the first one that is not ready gives its text. */
export const controlPlaneSteps = [
  infrastructure,
  dbCredentials,
  adminPassword,
  keystone,
  passwordCloud,
  imports,
  // Runs after KORC, but its report takes precedence over KORC's wait for a credential.
  cloudsYaml,
  korc,
  adminCredential,
  catalog,
];

/** Drives every ControlPlane to a running identity service that K-ORC can log in to. */
export const controlPlaneController = (services: Services) =>
  stepController({
    name: 'controlplane-controller',
    for: ControlPlane,
    guards: { beforeFinalizers: duplicate },
    steps: controlPlaneSteps,
    summary: servicesStatus,
    deletion: [teardown],
    services,
    ready: readyTexts,
    fieldManager,
    metricPrefix,
  });

/** Asks ControlPlanes for new admin application credentials. */
export const rotationController = (services: RotationServices) =>
  stepController({
    name: 'credentialrotation-controller',
    for: CredentialRotation,
    steps: [rotateCredential],
    services,
    ready: 'byStep',
    fieldManager,
    metricPrefix,
  });
