// SPDX-License-Identifier: Apache-2.0
import { dnsLabelProblem, subdomainProblem } from '../../formats/names.ts';
import type { AccessRequest, ResourceAccessRequest } from '../../messages/access-request.ts';
import { MapValue } from '../values/map-value.ts';
import { bool, objectType, opaque, string, type Type } from '../values/type.ts';
import { EvalError, Opaque, type Result, type Value } from '../values/value.ts';
import { defineMember, type Overload } from './overload.ts';

/** Authorization checks for a user, or for a ServiceAccount. */
export interface UserAuthorizer {
  decide(access: AccessRequest): { readonly allowed: boolean; readonly reason: string };
  forServiceAccount(namespace: string, name: string): UserAuthorizer;
}

function typeNamed(name: string): Type {
  return opaque(`kubernetes.authorization.${name}`);
}
const pathCheck = typeNamed('PathCheck');
const groupCheck = typeNamed('GroupCheck');
const resourceCheck = typeNamed('ResourceCheck');
const decision = typeNamed('Decision');

const authorizerName = 'kubernetes.authorization.Authorizer';
/** An authorizer without fields: that of a ServiceAccount, and in type checks the variable, as in Kubernetes. */
export const plainAuthorizerType: Type = { kind: 'object', name: authorizerName, params: [], weight: 1 };

/** The type of the variable `authorizer`, which has the resource of the current request. */
export const authorizerType = objectType(authorizerName, new Map([['requestResource', resourceCheck]]));

type PartialAccess = Omit<ResourceAccessRequest, 'verb'>;

/** An authorizer as a CEL value, with the resource of the current request. */
export class AuthorizerValue extends MapValue {
  readonly size = 1;
  readonly #userAuthorizer: () => UserAuthorizer;
  readonly #request: () => PartialAccess;

  /** Most expressions do not ask: what they would ask is made when one does. */
  constructor(userAuthorizer: () => UserAuthorizer, request: () => PartialAccess) {
    super();
    this.#userAuthorizer = userAuthorizer;
    this.#request = request;
  }

  get keys(): readonly Value[] {
    return ['requestResource'];
  }

  get userAuthorizer(): UserAuthorizer {
    return this.#userAuthorizer();
  }

  find(key: Value): Result | undefined {
    return key === 'requestResource' ? new AccessCheck(resourceCheck, this.userAuthorizer, this.#request()) : undefined;
  }

  ofAccount(namespace: string, name: string): AuthorizerValue {
    return new AuthorizerValue(() => this.userAuthorizer.forServiceAccount(namespace, name), this.#request);
  }
}

/** An authorization check without its verb yet. */
class AccessCheck<T extends object = object> extends Opaque {
  readonly type: Type;
  readonly userAuthorizer: UserAuthorizer;
  readonly access: T;

  constructor(type: Type, userAuthorizer: UserAuthorizer, access: T) {
    super();
    this.type = type;
    this.userAuthorizer = userAuthorizer;
    this.access = access;
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

class Decision extends Opaque {
  readonly type = decision;
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: ReturnType<UserAuthorizer['decide']>) {
    super();
    this.allowed = allowed;
    this.reason = reason;
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

function accessTo({ group }: { group: string }, resource: string): PartialAccess {
  return { group, resource, subresource: '', namespace: '', name: '' };
}

function asAccount(value: AuthorizerValue, namespace: string, name: string): Result {
  if (subdomainProblem(name) !== undefined) return new EvalError('Invalid service account name');
  if (dnsLabelProblem(namespace) !== undefined) return new EvalError('Invalid service account namespace');
  return value.ofAccount(namespace, name);
}

function check({ userAuthorizer, access }: AccessCheck, verb: string): Decision {
  return new Decision(userAuthorizer.decide({ ...access, verb } as AccessRequest));
}

/** Cost of an authorization check: an expression can make two. */
const checking = { cost: () => 350_000 };
/** RBAC ignores selectors. */
const ignored = ['fieldSelector', 'labelSelector'];

/** Kubernetes' authorizer library. */
export const authorizations: readonly Overload[] = [
  defineMember('serviceAccount', [plainAuthorizerType, string, string], plainAuthorizerType, asAccount),
  defineMember('path', [plainAuthorizerType, string], pathCheck, ({ userAuthorizer }: AuthorizerValue, path: string) =>
    path.trim() === '' ? new EvalError('path must not be empty') : new AccessCheck(pathCheck, userAuthorizer, { path }),
  ),
  defineMember(
    'group',
    [plainAuthorizerType, string],
    groupCheck,
    ({ userAuthorizer }: AuthorizerValue, group: string) => {
      return new AccessCheck(groupCheck, userAuthorizer, { group });
    },
  ),
  defineMember(
    'resource',
    [groupCheck, string],
    resourceCheck,
    ({ userAuthorizer, access }: AccessCheck<{ group: string }>, resource: string) =>
      resource.trim() === ''
        ? new EvalError('resource must not be empty')
        : new AccessCheck(resourceCheck, userAuthorizer, accessTo(access, resource)),
  ),
  ...['subresource', 'namespace', 'name'].map((field) =>
    defineMember(
      field,
      [resourceCheck, string],
      resourceCheck,
      ({ userAuthorizer, access }: AccessCheck, value: string) => {
        return new AccessCheck(resourceCheck, userAuthorizer, { ...access, [field]: value });
      },
    ),
  ),
  ...ignored.map((name) => defineMember(name, [resourceCheck, string], resourceCheck, (each: AccessCheck) => each)),
  defineMember('check', [pathCheck, string], decision, check, checking),
  defineMember('check', [resourceCheck, string], decision, check, checking),
  defineMember('allowed', [decision], bool, ({ allowed }: Decision) => allowed),
  defineMember('reason', [decision], string, ({ reason }: Decision) => reason),
  defineMember('errored', [decision], bool, () => false),
  defineMember('error', [decision], string, () => ''),
];
