// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isInSystemMasters } from '../access/authorize.ts';
import { uncoveredRules } from '../access/uncovered-rules.ts';
import { forbidden, notFound } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';

const group = 'rbac.authorization.k8s.io';
const everything: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** Rejects roles and bindings that grant more than the user holds. */
export const preventEscalation: WriteStep = (write, server) => {
  const { resource, object, before, user } = write;
  if (resource.kind.group !== group || isInSystemMasters(user)) return object;
  if (before !== undefined && differsInOwnershipOnly(object, before)) return object;
  if ('roleRef' in object) checkBinding(write, server, object as RoleBinding | ClusterRoleBinding);
  else checkRole(write, server, object as Role | ClusterRole);
  return object;
};

function checkRole(write: Write, server: ServerContext, role: Role | ClusterRole): void {
  const { resource, namespace = '', name, user, before } = write;
  const { plural } = resource.kind;
  const access = { verb: 'escalate', group, resource: plural, subresource: '', namespace, name };
  if (server.authorizer(user, access).allowed) return;
  checkHeld(write, server, role.rules ?? []);
  if (!aggregates(role) && !aggregates(before)) return;
  // An aggregation rule can select any role.
  if (uncoveredRules(heldBy(write, server), everything).length === 0) return;
  throw forbidden(resource.kind, role.metadata.name, 'must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(write: Write, server: ServerContext, { roleRef }: RoleBinding | ClusterRoleBinding): void {
  const { namespace = '', user } = write;
  const { kind, name } = roleRef;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (server.authorizer(user, { verb: 'bind', group, resource, subresource: '', namespace, name }).allowed) return;
  const { rules, missing } = server.grants.rulesOf(roleRef, namespace);
  if (missing !== undefined) throw notFound(write.resource.kind, name);
  checkHeld(write, server, rules);
}

function checkHeld(write: Write, server: ServerContext, rules: readonly PolicyRule[]): void {
  const missing = uncoveredRules(heldBy(write, server), rules);
  if (missing.length === 0) return;
  const { name, groups } = write.user;
  const who = `user ${JSON.stringify(name)} (groups=${quoted(groups)})`;
  const what = [...new Set(missing.map(describe))].toSorted().join('\n');
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${what}`;
  throw forbidden(write.resource.kind, write.object.metadata.name, why);
}

function heldBy({ user, namespace = '' }: Write, { grants }: ServerContext): PolicyRule[] {
  return [...grants.of(user, namespace)].flatMap(({ rules }) => rules);
}

function aggregates(role: KubeObject | undefined): boolean {
  return ((role as ClusterRole | undefined)?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

/** Whether only fields differ that the garbage collector writes. */
function differsInOwnershipOnly(object: KubeObject, before: KubeObject): boolean {
  const { ownerReferences, finalizers, managedFields } = before.metadata;
  const metadata = { ...object.metadata, ownerReferences, finalizers, managedFields };
  return jsonEqual(
    { ...object, metadata },
    { ...before, metadata: { ...before.metadata, ownerReferences, finalizers, managedFields } },
  );
}

/** A rule as kube-apiserver prints it. */
function describe(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const texts = parts.flatMap(([name, list = []]) => (list.length === 0 ? [] : [`${name}:${quoted(list)}`]));
  return `{${texts.join(', ')}}`;
}

function quoted(list: readonly string[]): string {
  return `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;
}
