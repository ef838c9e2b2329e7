// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import {
  credentialNameOf,
  keystoneDatabaseAnnotation,
  keystoneUidAnnotation,
  namesOf,
  passwordHashAnnotation,
} from '../../api/names.ts';
import { isRestricted } from '../../api/settings.ts';
import { korcVersion, loginBy, ownerMark } from './korc-object.ts';

/** Where a credential is minted, as far as it is known: a Keystone, and the database that holds the credential. */
export interface KeystonePlace {
  readonly uid?: string | undefined;
  readonly database?: string | undefined;
}

type Resource = NonNullable<ApplicationCredential['spec']['resource']>;

/**
 * The application credential of the administrator. Its name in Keystone differs for every secret: K-ORC adopts a credential of
 * the same name, which must then have the same secret.
 */
export function applicationCredential(
  controlPlane: ControlPlane,
  { value, passwordHash, keystone }: { value: SecretValue; passwordHash: string; keystone: KeystonePlace },
): ApplicationCredential {
  const { applicationCredential: name, passwordCloud } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'ApplicationCredential',
    metadata: {
      name,
      annotations: {
        ...ownerMark(controlPlane),
        [passwordHashAnnotation]: passwordHash,
        ...placeAnnotations(keystone),
      },
    },
    spec: {
      managementPolicy: 'managed',
      cloudCredentialsRef: loginBy(controlPlane, passwordCloud),
      resource: { name: credentialNameOf(controlPlane, value.reveal()), ...managedFields(controlPlane) },
    },
  };
}

/** The fields that the spec of a ControlPlane determines; K-ORC allows no change of any. */
function managedFields(controlPlane: ControlPlane): Omit<Resource, 'name'> {
  const { applicationCredential: secretRef, user: userRef } = namesOf(controlPlane);
  const { accessRules = [] } = controlPlane.spec.korc.adminCredential.applicationCredential;
  const rules = accessRules.map(({ service, method, path }) => ({
    ...(path && { path }),
    ...(method && { method }),
    ...(service && { serviceRef: service }),
  }));
  return {
    unrestricted: !isRestricted(controlPlane),
    userRef,
    secretRef,
    ...(rules.length > 0 && { accessRules: rules }),
  };
}

/** Whether the credential is minted with this secret; otherwise it is replaced. */
export function fitsValue({ spec }: ApplicationCredential, controlPlane: ControlPlane, value: SecretValue): boolean {
  return spec.resource?.name === credentialNameOf(controlPlane, value.reveal());
}

/** Whether the ControlPlane asks for a different credential. Fields that K-ORC sets are ignored. */
export function hasDrifted({ spec: { resource } }: ApplicationCredential, controlPlane: ControlPlane): boolean {
  if (resource === undefined) return false;
  const { unrestricted = false, userRef, secretRef, accessRules = [] } = resource;
  const wanted = managedFields(controlPlane);
  return !jsonEqual(
    [unrestricted, userRef, secretRef, accessRules.map(ruleFields)],
    [wanted.unrestricted, wanted.userRef, wanted.secretRef, (wanted.accessRules ?? []).map(ruleFields)],
  );
}

function ruleFields({ path, method, serviceRef }: NonNullable<Resource['accessRules']>[number]): string[] {
  return [path ?? '', method ?? '', serviceRef ?? ''];
}

/** Whether the admin password is the one that the credential was minted with; an emptied digest asks for another one. */
export function hasPasswordHash({ metadata }: ApplicationCredential, passwordHash: string): boolean {
  return metadata.annotations?.[passwordHashAnnotation] === passwordHash;
}

/** Where the credential was minted; fields that were not known then are undefined. */
export function keystonePlaceOf({ metadata: { annotations = {} } }: ApplicationCredential): KeystonePlace {
  return { uid: annotations[keystoneUidAnnotation], database: annotations[keystoneDatabaseAnnotation] };
}

/** The annotations that say where a credential was minted. */
export function placeAnnotations({ uid, database }: KeystonePlace): Record<string, string> {
  return {
    ...(uid !== undefined && { [keystoneUidAnnotation]: uid }),
    ...(database !== undefined && { [keystoneDatabaseAnnotation]: database }),
  };
}
