// SPDX-License-Identifier: Apache-2.0
import type { TokenRequest } from '@forge/kube/kinds/builtin.ts';
import type { Conversation } from './conversation.ts';

const rbac = 'rbac.authorization.k8s.io';
const authentication = 'authentication.k8s.io/v1';
const self = { apiVersion: authentication, kind: 'SelfSubjectReview' };
const roles = `${rbac}/v1/roles`;
const bindings = `${rbac}/v1/rolebindings`;

/** A rule about resources of the core group. */
export function rule(resource: string, ...verbs: readonly string[]) {
  return { apiGroups: [''], resources: [resource], verbs };
}

/** Impersonation headers of a user, with at most one group. */
export function as(user: string, group?: string): Record<string, string> {
  return { 'impersonate-user': user, ...(group !== undefined && { 'impersonate-group': group }) };
}

/** Headers with a bearer token; anonymous when it is empty. */
export function withToken(token: string): Record<string, string> {
  return { authorization: token === '' ? '' : `Bearer ${token}` };
}

/** A Role, or a ClusterRole if given. */
export function role(name: string, rules: readonly unknown[], kind = 'Role', more: object = {}) {
  return { apiVersion: `${rbac}/v1`, kind, metadata: { name }, rules, ...more };
}

/** A binding of a role to a user. */
export function binding(name: string, user: string, to: { kind: string; name: string }, kind = 'RoleBinding') {
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name },
    roleRef: { apiGroup: rbac, ...to },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  };
}

/** Grants rules to a user in the case's namespace. */
export async function grant(api: Conversation, name: string, user: string, ...rules: readonly unknown[]) {
  await api.post(roles, role(name, rules));
  await api.post(bindings, binding(name, user, { kind: 'Role', name }));
}

/** A service account. */
export function account(name: string) {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
}

/** Requests a token of an existing ServiceAccount. */
export async function tokenOf(api: Conversation, name: string, spec: object = {}): Promise<string> {
  const request = { apiVersion: authentication, kind: 'TokenRequest', spec };
  const { status } = await api.post<TokenRequest>(`serviceaccounts/${name}/token`, request);
  return status?.token ?? '';
}

/** Sends a SelfSubjectReview. */
export function whoAmI(api: Conversation, headers: Record<string, string>) {
  return api.post(`/apis/${authentication}/selfsubjectreviews`, self, {}, headers);
}
