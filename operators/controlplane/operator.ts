// SPDX-License-Identifier: Apache-2.0
import { textFlag } from '@forge/runtime/process/flag.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { controlPlaneAdmission } from './admission.ts';
import { ControlPlane } from './control-plane.ts';
import { CredentialRotation } from './credential-rotation.ts';
import manifest from './package.json' with { type: 'json' };
import { controlPlaneController, rotationController } from './reconcile.ts';
import { SecretAggregate } from './secret-aggregate.ts';
import { defaultSecretStore } from './step.ts';

const flags = {
  clusterSecretStore: textFlag('the ClusterSecretStore of credentials', 'name', { default: defaultSecretStore }),
};

/** The operator of control planes as a process runs it. */
export const controlPlaneOperator: Operator<typeof flags> = {
  name: 'c5c3-operator',
  description: 'Drives every ControlPlane to a running OpenStack control plane.',
  version: manifest.version,
  lease: 'c5c3.openstack.c5c3.io',
  flags,
  kinds: [ControlPlane, CredentialRotation, SecretAggregate],
  webhooks: [controlPlaneAdmission],
  controllers({ clusterSecretStore: secretStore }) {
    const services = { reading: { secretStore }, acting: {} };
    return [controlPlaneController(services), rotationController(services)];
  },
};
