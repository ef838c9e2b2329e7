// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { subdomainProblem } from '../formats/names.ts';
import type { AccessRequest, ResourceAccessRequest } from '../messages/access-request.ts';
import type { ServerRequest, User } from '../messages/server-request.ts';
import { authorize, forbiddenAccess, type Authorizer } from './authorize.ts';
import { requestedUser, type RequestedUser } from './impersonation-headers.ts';
import { serviceAccountGroups, serviceAccountOf } from './service-account-user.ts';

/** An impersonation mode. */
interface Mode {
  /** The verb required on the requested name, groups, uid and extra. */
  readonly verb: string;
  /** Prefix of a second required verb, on the request itself; empty when none is required. */
  readonly onRequest: string;
  readonly applies: (requested: RequestedUser, caller: User) => boolean;
}

const nodePrefix = 'system:node:';
const authentication = 'authentication.k8s.io';

/** Modes in the order they are tried; all but the last are constrained. */
const modes: readonly Mode[] = [
  constrained('associated-node', (requested, caller) => hasNameOnly(requested) && isOnNode(caller, requested.name)),
  constrained('arbitrary-node', (requested) => hasNameOnly(requested) && nodeOf(requested.name) !== undefined),
  constrained(
    'serviceaccount',
    (requested) => hasNameOnly(requested) && serviceAccountOf(requested.name) !== undefined,
  ),
  constrained('user-info', ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined),
  { verb: 'impersonate', onRequest: '', applies: () => true },
];

/** The effective user: the caller, or the impersonated user; throws Forbidden when impersonation is not allowed. */
export function effectiveUser(
  authorizer: Authorizer,
  caller: User,
  access: AccessRequest,
  headers: ServerRequest['headers'],
): User {
  const requested = requestedUser(headers);
  if (requested === undefined) return caller;
  let first: ApiError | undefined;
  for (const mode of modes.filter(({ applies }) => applies(requested, caller))) {
    try {
      return actAs(authorizer, caller, access, requested, mode);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      first ??= error;
    }
  }
  throw first as ApiError;
}

function actAs(
  authorizer: Authorizer,
  caller: User,
  access: AccessRequest,
  requested: RequestedUser,
  mode: Mode,
): User {
  const { verb, onRequest } = mode;
  const isConstrained = onRequest !== '';
  if (isConstrained) authorize(authorizer, caller, { ...access, verb: `${onRequest}${access.verb}` });
  const check = (target: Pick<ResourceAccessRequest, 'resource' | 'name'> & Partial<ResourceAccessRequest>): void =>
    authorize(authorizer, caller, { verb, group: authentication, subresource: '', namespace: '', ...target });
  const { groups, ...name } = nameAccess(requested, mode);
  const group = isConstrained ? authentication : '';
  check({ group, ...name });
  if (requested.uid !== '') check({ resource: 'uids', name: requested.uid });
  if (isConstrained) checkConstraints(caller, requested, verb);
  for (const each of requested.groups) check({ group, resource: 'groups', name: each });
  for (const [subresource, values] of Object.entries(requested.extra)) {
    for (const value of values) check({ resource: 'userextras', subresource, name: value });
  }
  return {
    name: requested.name,
    groups: withAuthenticationGroup(requested.name, groups),
    ...(requested.uid !== '' && { uid: requested.uid }),
    ...(Object.keys(requested.extra).length > 0 && { extra: requested.extra }),
  };
}

/** The resource and name of the requested user, and its groups. */
function nameAccess(
  { name, groups }: RequestedUser,
  { verb, onRequest }: Mode,
): Pick<ResourceAccessRequest, 'resource' | 'name'> & { namespace?: string; groups: readonly string[] } {
  const account = serviceAccountOf(name);
  if (account !== undefined) {
    return {
      resource: 'serviceaccounts',
      ...account,
      groups: groups.length === 0 ? serviceAccountGroups(account.namespace) : groups,
    };
  }
  const node = onRequest === '' ? undefined : nodeOf(name);
  if (node === undefined) return { resource: 'users', name, groups };
  const anyNode = verb === 'impersonate:associated-node';
  return { resource: 'nodes', name: anyNode ? '*' : node, groups: ['system:nodes'] };
}

/** Rejects what constrained impersonation does not allow. */
function checkConstraints(caller: User, { groups, extra }: RequestedUser, verb: string): void {
  const notAllowed = (resource: string, name: string, why: string): Error =>
    forbiddenAccess(caller, { verb, group: authentication, resource, subresource: '', namespace: '', name }, why);
  if (groups.includes('')) throw notAllowed('groups', '', 'impersonating the empty string group is not allowed');
  if (groups.includes('system:masters')) {
    throw notAllowed('groups', 'system:masters', 'impersonating the system:masters group is not allowed');
  }
  for (const [key, values] of Object.entries(extra)) {
    const [domain = '', path = ''] = key.split(/\/(.*)/s);
    if (subdomainProblem(domain) !== undefined || path === '') {
      const why = `extra.key: Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
      throw notAllowed('userextras', '', `impersonating an invalid key in extra is not allowed: ${why}`);
    }
    if (values.includes('')) {
      throw notAllowed('userextras', '', 'impersonating the empty string value in extra is not allowed');
    }
  }
}

/** The groups with system:authenticated or system:unauthenticated added. */
function withAuthenticationGroup(name: string, groups: readonly string[]): readonly string[] {
  const unauthenticated = 'system:unauthenticated';
  const requested = name === 'system:anonymous' ? unauthenticated : 'system:authenticated';
  return groups.includes(unauthenticated) || groups.includes(requested) ? groups : [...groups, requested];
}

function constrained(name: string, applies: Mode['applies']): Mode {
  return { verb: `impersonate:${name}`, onRequest: `impersonate-on:${name}:`, applies };
}

function hasNameOnly({ uid, groups, extra }: RequestedUser): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** Whether the caller is the ServiceAccount of a pod on the node. */
function isOnNode({ name, extra }: User, node: string): boolean {
  const [own, ...more] = extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return own !== undefined && more.length === 0 && own === nodeOf(node) && serviceAccountOf(name) !== undefined;
}

function nodeOf(userName: string): string | undefined {
  const name = userName.slice(nodePrefix.length);
  return userName.startsWith(nodePrefix) && subdomainProblem(name) === undefined ? name : undefined;
}
