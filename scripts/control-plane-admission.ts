// SPDX-License-Identifier: Apache-2.0
import { missingCluster } from '../operators/controlplane/admission/missing-clusters.ts';
import { warningsOf } from '../operators/controlplane/admission/warnings.ts';
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
    openStackRelease: '2026.2',
    infrastructure: { ...infrastructure, database },
    korc: { adminCredential },
  });
  const warnings = warningsOf(controlPlane, controlPlaneFixture());
  const memcached = { kind: 'Memcached', block: 'cache', namespace: 'openstack', wanted: 'openstack-memcached' };
  return [...warnings, missingCluster({ ...memcached, names: ['memcached'] })];
}
