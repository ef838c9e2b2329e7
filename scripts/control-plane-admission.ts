// SPDX-License-Identifier: Apache-2.0
import { missingCluster } from '../operators/controlplane/admission/missing-clusters.ts';
import { warningsOf } from '../operators/controlplane/admission/warnings.ts';
import { skippedMessage } from '../operators/controlplane/kind/spec.ts';
import { admissionRows } from '../operators/controlplane/test/admission/admission-rows.ts';
import { controlPlaneFixture } from '../operators/controlplane/test/control-plane-fixture.ts';
import { admissionPage } from './admission-page.ts';

/** The admission of a ControlPlane. */
export const controlPlaneAdmissionPage = (): string =>
  admissionPage({
    kind: 'ControlPlane',
    refused: admissionRows,
    further: [
      '- a second one in a namespace: `metadata.namespace: Forbidden: only one ControlPlane is permitted per namespace; ' +
        '"controlplane" already exists in namespace "openstack"`. Only by the webhook, when everything else is right; without ' +
        'it the second one is parked (reason `DuplicateControlPlane`).',
      `- a release that skips one: \`spec.openStackRelease: Invalid value: "2026.2": ${skippedMessage('2026.2', '2025.2', '2026.1')}\`. ` +
        'Only by the webhook; without it Keystone refuses it (reason `UpgradePathInvalid`).',
    ],
    warnings: exampleWarnings(),
  });

/** The warnings about a ControlPlane that deserves all of them. */
function exampleWarnings(): string[] {
  const { infrastructure, korc } = controlPlaneFixture().spec;
  const accessRules = ['identity', 'controlplane-identity-service'].map((service) => ({ service }));
  const applicationCredential = { restricted: true, rotation: { mode: 'Manual' as const }, accessRules };
  const adminCredential = {
    ...korc.adminCredential,
    applicationCredential,
    passwordSecretRef: { name: 'my-admin', key: 'password' },
    bootstrapResources: [{ kind: 'Role' as const, name: 'reader' }],
  };
  const database = { ...infrastructure.database, secretRef: { name: 'my-db' } };
  const controlPlane = controlPlaneFixture({
    infrastructure: { ...infrastructure, database },
    korc: { adminCredential },
  });
  const warnings = warningsOf(controlPlane);
  const memcached = { kind: 'Memcached', block: 'cache', namespace: 'openstack', wanted: 'openstack-memcached' };
  return [...warnings, missingCluster({ ...memcached, names: ['memcached'] })];
}
