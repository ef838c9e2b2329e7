// SPDX-License-Identifier: Apache-2.0
import { missingCluster } from '../../admission/missing-clusters.ts';
import { warningsOf } from '../../admission/warnings.ts';
import { skippedMessage } from '../../api/spec.ts';
import { controlPlaneFixture } from '../control-plane-fixture.ts';
import { admissionCases } from './admission-cases.ts';

/** Depends on other objects, so it is not a case. */
const dependingOnOthers = [
  {
    name: 'a second one in a namespace',
    webhook: [
      'metadata.namespace',
      'Forbidden: only one ControlPlane is permitted per namespace; "{name}" already exists in namespace "{namespace}"',
    ],
    schema: undefined,
    withoutWebhook: 'the second one is parked (reason `DuplicateControlPlane`)',
  },
  {
    name: 'a release that skips one',
    webhook: ['spec.openStackRelease', `Invalid value: "2026.2": ${skippedMessage('2026.2', '2025.2', '2026.1')}`],
    schema: undefined,
    withoutWebhook: 'Keystone refuses it (reason `UpgradePathInvalid`)',
  },
] as const;

/** The admission of a ControlPlane. */
export const documentedAdmission = {
  refused: [...admissionCases, ...dependingOnOthers],
  warnings: exampleWarnings(),
};

/** The warnings about a ControlPlane that causes all of them. */
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
