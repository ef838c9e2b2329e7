// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { conditionOf } from '@forge/runtime/objects/condition.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { defaults } from '../api/defaults.ts';
import { catalogUrlOf, namesOf, passwordRefOf } from '../api/names.ts';
import { cacheClusterOf, databaseClusterOf, regionOf } from '../api/settings.ts';
import { mergePolicies } from './merge-policies.ts';

type KeystoneSpec = Keystone['spec'];

const imageRepository = 'ghcr.io/c5c3/keystone';

/** Fields whose last value stays when the ControlPlane no longer sets them. */
export const keptFields = ['spec.replicas', 'spec.fernet.rotationSchedule', 'spec.credentialKeys.rotationSchedule'];

/** The Keystone of the control plane; whatever it does not set has the defaults of Keystone itself. */
export function keystoneChild(controlPlane: ControlPlane, rotationSchedule: string | undefined): Keystone {
  const { apiVersion, kind } = Keystone;
  const { services, openStackRelease, global } = controlPlane.spec;
  const { replicas, image, gateway, policyOverrides } = services.keystone;
  const policy = mergePolicies(global, policyOverrides);
  const keys = rotationSchedule === undefined ? undefined : { rotationSchedule };
  const spec = {
    image: image ?? { repository: imageRepository, tag: openStackRelease },
    ...(replicas !== undefined && { replicas }),
    database: databaseOf(controlPlane),
    cache: cacheOf(controlPlane),
    bootstrap: {
      adminPasswordSecretRef: passwordRefOf(controlPlane),
      region: regionOf(controlPlane),
      publicEndpoint: catalogUrlOf(controlPlane),
    },
    ...(gateway && { gateway }),
    ...(policy && { policyOverrides: policy }),
    ...(keys && { fernet: keys, credentialKeys: keys }),
  };
  return { apiVersion, kind, metadata: { name: namesOf(controlPlane).keystone }, spec: spec as KeystoneSpec };
}

/** The ControlPlane's own database, with the account from OpenBao in managed mode. */
function databaseOf(controlPlane: ControlPlane): KeystoneSpec['database'] {
  const { database } = controlPlane.spec.infrastructure;
  const name = databaseClusterOf(controlPlane);
  if (name === undefined) return database;
  const secretRef = { name: namesOf(controlPlane).dbCredentials, key: defaults.passwordKey };
  return { ...database, clusterRef: { name }, secretRef };
}

function cacheOf(controlPlane: ControlPlane): KeystoneSpec['cache'] {
  const { cache } = controlPlane.spec.infrastructure;
  const name = cacheClusterOf(controlPlane);
  return name === undefined ? cache : { ...cache, clusterRef: { name } };
}

/** Whether the Keystone is ready with its current spec. */
export function isKeystoneReady(keystone: Keystone): boolean {
  const { metadata, status } = keystone;
  const { generation = 0 } = metadata;
  const ready = conditionOf(keystone, 'Ready');
  const observed = [status?.observedGeneration ?? 0, ready?.observedGeneration ?? generation];
  return ready?.status === 'True' && observed.every((each) => each >= generation);
}
