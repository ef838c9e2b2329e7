// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { ageColumn, group, readyColumn, version } from './group.ts';
import { rotationSpec, rotationStatus } from './rotation.ts';

/** Asks for a new admin application credential of the ControlPlane in the same namespace. */
export const CredentialRotation = kind({
  group,
  version,
  kind: 'CredentialRotation',
  plural: 'credentialrotations',
  description:
    'CredentialRotation asks for a new admin application credential of the ControlPlane in the same namespace. It mints ' +
    'nothing itself: it triggers the ControlPlane to do so.',
  spec: rotationSpec,
  status: rotationStatus,
  printerColumns: [{ name: 'Target', type: 'string', jsonPath: '.spec.target' }, readyColumn, ageColumn],
});
export type CredentialRotation = ObjectOf<typeof CredentialRotation>;
