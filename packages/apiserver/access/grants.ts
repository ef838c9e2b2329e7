// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule, RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import type { User } from '../request/server-request.ts';
import type { Store } from '../storage/store.ts';
import { serviceAccountUserName } from './service-account-user.ts';

/** What one binding grants to one of its subjects. */
export interface Grant {
  readonly rules: readonly PolicyRule[];
  /** Why there are no rules, when the role is not there. */
  readonly missing?: string;
  readonly binding: RoleBinding | ClusterRoleBinding;
  readonly subject: Subject;
}

type GrantsBySubject = ReadonlyMap<string, readonly Grant[]>;

const group = 'rbac.authorization.k8s.io';
const resources = ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'];
/** What nodes may do by being nodes, since they serve Services and volumes too; nobody binds these roles to them. */
const nodeRoles = ['system:node', 'system:node-proxier', 'system:persistent-volume-provisioner'];

/** Who was granted what, found by user and by group; worked out when asked for, and again after roles or bindings changed. */
export class Grants {
  readonly #store: Store;
  readonly #byNamespace = new Map<string, GrantsBySubject>();

  constructor(store: Store) {
    this.#store = store;
    for (const resource of resources) store.subscribe(`${resource}.${group}`, () => this.#byNamespace.clear());
  }

  /** What a user is granted in the whole cluster and in this namespace, unless that is empty; each binding once. */
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

  /** The rules of a role as a binding in the namespace refers to it; what is missing, when the role is not there. */
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
    // Anybody may ask about namespaces that are not there, of which nothing is kept.
    if (grants.size > 0) this.#byNamespace.set(namespace, grants);
    return grants;
  }

  *#bindingsIn(namespace: string): Generator<Grant['binding']> {
    const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
    for (const { value } of this.#store.current.objects.withPrefix(`${resource}.${group}/${namespace}/`)) {
      yield value as Grant['binding'];
    }
    if (namespace === '') yield* nodeRoles.map(nodeRoleBinding);
  }
}

function nodeRoleBinding(role: string): ClusterRoleBinding {
  return {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: role },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: group, kind: 'Group', name: 'system:nodes' }],
  };
}

/** Whom a subject stands for; an account without a namespace is one of the binding's own. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${name}`;
  return `User ${serviceAccountUserName({ namespace: namespace ?? bindingNamespace, name })}`;
}
