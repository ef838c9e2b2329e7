// SPDX-License-Identifier: Apache-2.0
import { errorsOfEach, invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { OwnerReference } from '@forge/kube/objects/object.ts';

const ownerPath = 'metadata.ownerReferences';

/** Owner references must be complete, with at most one controller. */
export function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  let controller = '';
  return errorsOfEach(owners, (owner) => {
    const errors = validateOwner(owner);
    if (owner.controller !== true) return errors;
    const name = `${owner.kind}/${owner.name}`;
    const first = controller;
    controller ||= name;
    if (first === '') return errors;
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${name}`;
    return [...errors, invalidValue(ownerPath, owners, detail)];
  });
}

function validateOwner(owner: OwnerReference): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Partial<OwnerReference>;
  const empty = (field: string, detail: string): FieldError => invalidValue(`${ownerPath}.${field}`, '', detail);
  const [, version = ''] = /^(?:[^/]*\/)?([^/]*)$/.exec(apiVersion) ?? [];
  return [
    ...(version === '' ? [invalidValue(`${ownerPath}.apiVersion`, apiVersion, 'version must not be empty')] : []),
    ...(kind === '' ? [empty('kind', 'must not be empty')] : []),
    ...(name === '' ? [empty('name', 'must not be empty')] : []),
    ...(uid === '' ? [empty('uid', 'must not be empty')] : []),
    ...(apiVersion === 'v1' && kind === 'Event'
      ? [invalidValue(ownerPath, owner, '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}
