// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { cloudsYamlImmutable } from '../api/admin-credential.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { cacheChanges, databaseChanges } from '../api/infrastructure.ts';
import { regionImmutable } from '../api/spec.ts';

/** Errors of fields that must not change. Effective values are compared, so that setting a default is not a change. */
export function changeErrors({ spec }: ControlPlane, { spec: before }: ControlPlane): FieldError[] {
  const { database, cache } = spec.infrastructure;
  const old = before.infrastructure;
  const { secretName } = spec.korc.adminCredential.cloudCredentialsRef;
  const { secretName: oldSecretName } = before.korc.adminCredential.cloudCredentialsRef;
  return [
    ...databaseChanges.flatMap((rule) => rule.errors('spec.infrastructure.database', database, old.database)),
    ...cacheChanges.flatMap((rule) => rule.errors('spec.infrastructure.cache', cache, old.cache)),
    ...cloudsYamlImmutable.errors(
      'spec.korc.adminCredential.cloudCredentialsRef.secretName',
      secretName,
      oldSecretName,
    ),
    ...regionImmutable.errors('spec.region', spec.region, before.region),
  ];
}
