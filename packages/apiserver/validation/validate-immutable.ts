// SPDX-License-Identifier: Apache-2.0
import type { ClusterRoleBinding, PersistentVolumeClaim, RoleBinding } from '@forge/kube/builtin.ts';
import { forbidden, invalidValue, type FieldError } from '@forge/kube/field-error.ts';
import { jsonEqual } from '@forge/kube/json.ts';

/** A binding keeps its role: to change it would silently change what was granted. */
export function validateRoleBinding<T extends RoleBinding | ClusterRoleBinding>(
  { roleRef }: T,
  before: T | undefined,
): FieldError[] {
  if (before === undefined || jsonEqual(roleRef, before.roleRef)) return [];
  return [invalidValue('roleRef', roleRef, 'cannot change roleRef')];
}

/** A claim may ask for more room, nothing else; it is bound to its volume once. */
export function validateClaim(
  { spec }: PersistentVolumeClaim,
  before: PersistentVolumeClaim | undefined,
): FieldError[] {
  const old = before?.spec;
  if (old === undefined) return [];
  const kept = { ...spec, resources: old.resources, volumeAttributesClassName: old.volumeAttributesClassName };
  const bound = old.volumeName === undefined ? { ...kept, volumeName: undefined } : kept;
  if (jsonEqual(defined(bound), defined(old))) return [];
  return [
    forbidden(
      'spec',
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    ),
  ];
}

function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
