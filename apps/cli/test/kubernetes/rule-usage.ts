// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { ClusterRole, Role } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { permission, type Permission } from '@forge/testing/permissions.ts';
import { isDenied, type AuditEntry } from './audit-log.ts';

/** The rules of all roles among these objects. */
export function rulesOf(objects: readonly KubeObject[]): PolicyRule[] {
  return objects.flatMap((object) => (isRole(object) ? (object.rules ?? []) : []));
}

function isRole(object: KubeObject): object is Role | ClusterRole {
  return object.kind === 'Role' || object.kind === 'ClusterRole';
}

/** All permissions of the rules, one for each verb, resource and name. */
export function permissionsOf(rules: readonly PolicyRule[]): Set<Permission> {
  const all = rules.flatMap(({ apiGroups = [], resources = [], resourceNames = [''], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => permission({ verb, group, resource, name }))),
      ),
    ),
  );
  return new Set(all);
}

/** The permissions that these requests needed; an apply that created its object needed two. */
export function usedPermissions(entries: readonly AuditEntry[], rules: readonly PolicyRule[]): Set<Permission> {
  const named = new Set(rules.flatMap(({ resourceNames = [] }) => resourceNames));
  const used = new Set<Permission>();
  for (const entry of entries) {
    if (entry.objectRef === undefined || isDenied(entry)) continue;
    const { resource: kind, subresource, apiGroup: group = '', name = '' } = entry.objectRef;
    const resource = subresource === undefined ? kind : `${kind}/${subresource}`;
    const verbs = entry.verb === 'patch' && entry.responseStatus?.code === 201 ? ['patch', 'create'] : [entry.verb];
    for (const verb of verbs) {
      used.add(permission({ verb, group, resource, name: '' }));
      if (named.has(name)) used.add(permission({ verb, group, resource, name }));
    }
  }
  return used;
}

/** The permissions of the rules that no request needed. */
export function unusedPermissions(rules: readonly PolicyRule[], entries: readonly AuditEntry[]): Permission[] {
  const used = usedPermissions(entries, rules);
  return [...permissionsOf(rules)].filter((each) => !used.has(each)).toSorted();
}
