// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule, RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import type { User } from '../messages/server-request.ts';
import type { Store } from '../storage/store.ts';
import { serviceAccountUserName } from './service-account-user.ts';

/** What one binding grants to one of its subjects. */
export interface Grant {
  readonly rules: readonly PolicyRule[];
  /** Why there are no rules: the role does not exist. */
  readonly missing?: string;
  readonly binding: RoleBinding | ClusterRoleBinding;
  readonly subject: Subject;
}

type GrantsBySubject = ReadonlyMap<string, readonly Grant[]>;

const group = 'rbac.authorization.k8s.io';
const resources = ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'];

/** Index of RBAC grants by user and group; computed on demand, and again after roles or bindings change. */
export class Grants {
  readonly #store: Store;
  readonly #byNamespace = new Map<string, GrantsBySubject>();

  constructor(store: Store) {
    this.#store = store;
    for (const resource of resources) store.subscribe(`${resource}.${group}`, () => this.#byNamespace.clear());
  }

  /** The cluster-wide grants of a user and those in this namespace, unless it is empty; each binding once. */
  *of({ name, groups }: User, namespace: string): Generator<Grant> {
    const seen = new Set<Grant['binding']>();
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      const grants = this.#in(scope);
      for (const key of [`User ${name}`, ...groups.map((each) => `Group ${each}`)]) {
        for (const grant of grants.get(key) ?? []) {
          if (seen.has(grant.binding)) continue;
          seen.add(grant.binding);
          yield grant;
        }
      }
    }
  }

  /** The rules of a role referenced in this namespace, or why there are none. */
  rulesOf({ kind, name }: RoleRef, namespace: string): Pick<Grant, 'rules' | 'missing'> {
    const key = kind === 'Role' ? `roles.${group}/${namespace}/${name}` : `clusterroles.${group}//${name}`;
    const role = this.#store.current.objects.get(key)?.value as Role | ClusterRole | undefined;
    if (role !== undefined) return { rules: role.rules ?? [] };
    return { rules: [], missing: `${kind.toLowerCase()}.${group} "${name}" not found` };
  }

  #in(namespace: string): GrantsBySubject {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const grants = new Map<string, Grant[]>();
    for (const binding of this.#bindingsIn(namespace)) {
      const rules = this.rulesOf(binding.roleRef, namespace);
      for (const subject of binding.subjects ?? []) {
        const key = keyOf(subject, namespace);
        const grant = { ...rules, binding, subject };
        if (!grants.get(key)?.push(grant)) grants.set(key, [grant]);
      }
    }
    // Empty results are not cached: requests may name any number of namespaces.
    if (grants.size > 0) this.#byNamespace.set(namespace, grants);
    return grants;
  }

  *#bindingsIn(namespace: string): Generator<Grant['binding']> {
    const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
    for (const { value } of this.#store.current.objects.withPrefix(`${resource}.${group}/${namespace}/`)) {
      yield value as Grant['binding'];
    }
  }
}

/** The index key of a subject; a ServiceAccount without a namespace is in that of the binding. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${name}`;
  return `User ${serviceAccountUserName({ namespace: namespace ?? bindingNamespace, name })}`;
}
