// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { subdomainProblem } from '../formats/names.ts';
import type { Attempt, ResourceAttempt } from '../request/attempt.ts';
import type { ServerRequest, User } from '../request/server-request.ts';
import { authorize, forbiddenAttempt, type Authorizer } from './authorize.ts';
import { wantedUser, type WantedUser } from './impersonation-headers.ts';
import { accountGroups, accountOf } from './service-account-user.ts';

/** A way of being allowed to act as somebody else. */
interface Mode {
  /** What the caller must be allowed to do with the name, the groups and whatever else it wants to have. */
  readonly verb: string;
  /** What it must be allowed to do besides, put before the verb of the request; empty when nothing. */
  readonly onRequest: string;
  readonly isMeant: (wanted: WantedUser, caller: User) => boolean;
}

const nodePrefix = 'system:node:';
const authentication = 'authentication.k8s.io';

/** The ways in the order in which they are tried; all but the last allow certain requests only. */
const modes: readonly Mode[] = [
  constrained('associated-node', (wanted, caller) => hasNameOnly(wanted) && isOnNode(caller, wanted.name)),
  constrained('arbitrary-node', (wanted) => hasNameOnly(wanted) && nodeOf(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => hasNameOnly(wanted) && accountOf(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined),
  { verb: 'impersonate', onRequest: '', isMeant: () => true },
];

/** Who the request is taken to be from: the caller, or whom it acts as, when it may; throws the server's refusal else. */
export function impersonated(
  authorizer: Authorizer,
  caller: User,
  attempt: Attempt,
  headers: ServerRequest['headers'],
): User {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return caller;
  let first: ApiError | undefined;
  for (const mode of modes.filter(({ isMeant }) => isMeant(wanted, caller))) {
    try {
      return actAs(authorizer, caller, attempt, wanted, mode);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      first ??= error;
    }
  }
  throw first as ApiError;
}

function actAs(authorizer: Authorizer, caller: User, attempt: Attempt, wanted: WantedUser, mode: Mode): User {
  const { verb, onRequest } = mode;
  const isConstrained = onRequest !== '';
  if (isConstrained) authorize(authorizer, caller, { ...attempt, verb: `${onRequest}${attempt.verb}` });
  const check = (access: Pick<ResourceAttempt, 'resource' | 'name'> & Partial<ResourceAttempt>): void =>
    authorize(authorizer, caller, { verb, group: authentication, subresource: '', namespace: '', ...access });
  const { groups, ...name } = nameAccess(wanted, mode);
  const group = isConstrained ? authentication : '';
  check({ group, ...name });
  if (wanted.uid !== '') check({ resource: 'uids', name: wanted.uid });
  if (isConstrained) refuseOddities(caller, wanted, verb);
  for (const each of wanted.groups) check({ group, resource: 'groups', name: each });
  for (const [subresource, values] of Object.entries(wanted.extra)) {
    for (const value of values) check({ resource: 'userextras', subresource, name: value });
  }
  return {
    name: wanted.name,
    groups: withStanding(wanted.name, groups),
    ...(wanted.uid !== '' && { uid: wanted.uid }),
    ...(Object.keys(wanted.extra).length > 0 && { extra: wanted.extra }),
  };
}

/** What the wanted name is the name of, and the groups that go with it. */
function nameAccess(
  { name, groups }: WantedUser,
  { verb, onRequest }: Mode,
): Pick<ResourceAttempt, 'resource' | 'name'> & { namespace?: string; groups: readonly string[] } {
  const account = accountOf(name);
  if (account !== undefined) {
    return {
      resource: 'serviceaccounts',
      ...account,
      groups: groups.length === 0 ? accountGroups(account.namespace) : groups,
    };
  }
  const node = onRequest === '' ? undefined : nodeOf(name);
  if (node === undefined) return { resource: 'users', name, groups };
  const anyNode = verb === 'impersonate:associated-node';
  return { resource: 'nodes', name: anyNode ? '*' : node, groups: ['system:nodes'] };
}

/** What nobody may want who may not act as just anybody. */
function refuseOddities(caller: User, { groups, extra }: WantedUser, verb: string): void {
  const refuse = (resource: string, name: string, why: string): Error =>
    forbiddenAttempt(caller, { verb, group: authentication, resource, subresource: '', namespace: '', name }, why);
  if (groups.includes('')) throw refuse('groups', '', 'impersonating the empty string group is not allowed');
  if (groups.includes('system:masters')) {
    throw refuse('groups', 'system:masters', 'impersonating the system:masters group is not allowed');
  }
  for (const [key, values] of Object.entries(extra)) {
    const [domain = '', path = ''] = key.split(/\/(.*)/s);
    if (subdomainProblem(domain) !== undefined || path === '') {
      const why = `extra.key: Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
      throw refuse('userextras', '', `impersonating an invalid key in extra is not allowed: ${why}`);
    }
    if (values.includes('')) {
      throw refuse('userextras', '', 'impersonating the empty string value in extra is not allowed');
    }
  }
}

/** The groups, with the one that says whether the user is known. */
function withStanding(name: string, groups: readonly string[]): readonly string[] {
  const strangers = 'system:unauthenticated';
  const wanted = name === 'system:anonymous' ? strangers : 'system:authenticated';
  return groups.includes(strangers) || groups.includes(wanted) ? groups : [...groups, wanted];
}

function constrained(name: string, isMeant: Mode['isMeant']): Mode {
  return { verb: `impersonate:${name}`, onRequest: `impersonate-on:${name}:`, isMeant };
}

function hasNameOnly({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** Whether the caller is a service account of a pod on the node. */
function isOnNode({ name, extra }: User, node: string): boolean {
  const [own, ...more] = extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return own !== undefined && more.length === 0 && own === nodeOf(node) && accountOf(name) !== undefined;
}

function nodeOf(userName: string): string | undefined {
  const name = userName.slice(nodePrefix.length);
  return userName.startsWith(nodePrefix) && subdomainProblem(name) === undefined ? name : undefined;
}
