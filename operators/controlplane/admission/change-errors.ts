// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import { databaseModeImmutable } from '@forge/openstack/schema/backing-services.ts';
import { cloudsYamlImmutable } from '../api/admin-credential.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import {
  cacheClusterImmutable,
  cacheModeImmutable,
  databaseClusterImmutable,
  databaseNameImmutable,
  databaseReplicasImmutable,
} from '../api/infrastructure.ts';
import { cacheClusterOf, cloudsYamlOf, databaseClusterOf, regionOf } from '../api/settings.ts';
import { regionImmutable } from '../api/spec.ts';

/** Errors of fields that must not change. Effective values are compared, so that setting a default is not a change. */
export function changeErrors(now: ControlPlane, before: ControlPlane): FieldError[] {
  return [...databaseErrors(now, before), ...cacheErrors(now, before), ...settingErrors(now, before)];
}

function databaseErrors(now: ControlPlane, before: ControlPlane): FieldError[] {
  const path = 'spec.infrastructure.database';
  const { database } = now.spec.infrastructure;
  const { database: old } = before.spec.infrastructure;
  const messages = [databaseModeImmutable, databaseClusterImmutable] as const;
  const errors = clusterErrors(path, database, [databaseClusterOf(now), databaseClusterOf(before)], messages);
  if (database.database !== old.database) {
    errors.push(invalidValue(`${path}.database`, database.database, databaseNameImmutable));
  }
  if (database.replicas !== old.replicas) {
    errors.push(invalidValue(`${path}.replicas`, database.replicas, databaseReplicasImmutable));
  }
  return errors;
}

function cacheErrors(now: ControlPlane, before: ControlPlane): FieldError[] {
  const names = [cacheClusterOf(now), cacheClusterOf(before)] as const;
  const messages = [cacheModeImmutable, cacheClusterImmutable] as const;
  return clusterErrors('spec.infrastructure.cache', now.spec.infrastructure.cache, names, messages);
}

/** Another mode, or another name in managed mode. */
function clusterErrors(
  path: string,
  value: unknown,
  [name, old]: readonly [string | undefined, string | undefined],
  [modeImmutable, nameImmutable]: readonly [string, string],
): FieldError[] {
  if ((name === undefined) !== (old === undefined)) return [invalidValue(path, value, modeImmutable)];
  return name === old ? [] : [invalidValue(`${path}.clusterRef.name`, name, nameImmutable)];
}

function settingErrors(now: ControlPlane, before: ControlPlane): FieldError[] {
  const errors: FieldError[] = [];
  if (cloudsYamlOf(now) !== cloudsYamlOf(before)) {
    const field = 'spec.korc.adminCredential.cloudCredentialsRef.secretName';
    errors.push(invalidValue(field, cloudsYamlOf(now), cloudsYamlImmutable));
  }
  if (regionOf(now) !== regionOf(before)) {
    errors.push(invalidValue('spec.region', now.spec.region, regionImmutable));
  }
  return errors;
}
