// SPDX-License-Identifier: Apache-2.0
import type { ApiError } from '@forge/kube/errors/api-error.ts';
import type { AccessRequest } from '../messages/access-request.ts';
import type { User } from '../messages/server-request.ts';
import { statusError } from '../messages/status-errors.ts';
import type { Grant, Grants } from './grants.ts';
import { ruleAllows } from './rule-allows.ts';

/** Whether access is allowed, and why. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a user has access. */
export type Authorizer = (user: User, access: AccessRequest) => Decision;

/** Whether the user is in system:masters, which bypasses authorization. */
export function isInSystemMasters({ groups }: User): boolean {
  return groups.includes('system:masters');
}

/** Asks several authorizers: the first that allows access decides. */
export function anyAuthorizer(...authorizers: readonly Authorizer[]): Authorizer {
  return (user, access) => {
    const reasons: string[] = [];
    for (const authorizer of authorizers) {
      const decision = authorizer(user, access);
      if (decision.allowed) return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return { allowed: false, reason: reasons.join('\n') };
  };
}

/** RBAC authorizer. */
export function roleAuthorizer(grants: Grants): Authorizer {
  return (user, access) => {
    if (isInSystemMasters(user)) return { allowed: true, reason: '' };
    const missing = new Set<string>();
    for (const grant of grants.of(user, 'path' in access ? '' : access.namespace)) {
      if (grant.rules.some((rule) => ruleAllows(rule, access))) {
        return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
      }
      if (grant.missing !== undefined) missing.add(grant.missing);
    }
    return { allowed: false, reason: missing.size === 0 ? '' : `RBAC: ${aggregateErrors([...missing])}` };
  };
}

/** Throws Forbidden, worded as kube-apiserver does, when the user lacks access. */
export function authorize(authorizer: Authorizer, user: User, access: AccessRequest): void {
  const { allowed, reason } = authorizer(user, access);
  if (!allowed) throw forbiddenAccess(user, access, reason);
}

/** 403, worded as kube-apiserver does. */
export function forbiddenAccess({ name: userName }: User, access: AccessRequest, reason: string): ApiError {
  const who = `User "${userName}" cannot ${access.verb}`;
  const why = reason === '' ? '' : `: ${reason}`;
  if ('path' in access)
    return statusError(403, 'Forbidden', escapeHtml(`forbidden: ${who} path "${access.path}"`) + why, {});
  const { group, resource, subresource, namespace, name } = access;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} "${name}"`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = escapeHtml(`${who} resource "${what}" in API group "${group}" ${where}`);
  return statusError(403, 'Forbidden', `${subject} is forbidden: ${message}${why}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    kind: resource,
  });
}

/** The text with HTML characters escaped. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Several errors in one message. */
export function aggregateErrors(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}

function describe({ binding: { kind, metadata, roleRef }, subject }: Grant): string {
  const { name, namespace } = metadata;
  const place = namespace === undefined ? name : `${name}/${namespace}`;
  const account = `${subject.name}/${subject.namespace ?? namespace ?? ''}`;
  const who = subject.kind === 'ServiceAccount' ? account : subject.name;
  return `${kind} "${place}" of ${roleRef.kind} "${roleRef.name}" to ${subject.kind} "${who}"`;
}
