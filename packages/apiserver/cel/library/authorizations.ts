// SPDX-License-Identifier: Apache-2.0
import { dnsLabelProblem, subdomainProblem } from '../../formats/names.ts';
import type { AccessRequest, ResourceAccessRequest } from '../../request/access-request.ts';
import { MapValue } from '../values/map-value.ts';
import { bool, objectType, opaque, string, type Type } from '../values/type.ts';
import { EvalError, Opaque, type Result, type Value } from '../values/value.ts';
import { defineMember, type Overload } from './overload.ts';

/** What somebody may do, and what a service account may. */
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
const authorizer = objectType(authorizerName, new Map());

/** The type of the variable `authorizer`, which alone knows the request at hand. */
export const authorizerType = objectType(authorizerName, new Map([['requestResource', resourceCheck]]));

type Asked = Omit<ResourceAccessRequest, 'verb'>;

/** Somebody's rights as a value, and what the request at hand is about. */
export class AuthorizerValue extends MapValue {
  readonly rights: UserAuthorizer;
  readonly size = 1;
  readonly keys = ['requestResource'];
  readonly #request: Asked;

  constructor(rights: UserAuthorizer, request: Asked) {
    super();
    this.rights = rights;
    this.#request = request;
  }

  find(key: Value): Result | undefined {
    return key === 'requestResource' ? new Question(resourceCheck, this.rights, this.#request) : undefined;
  }

  ofAccount(namespace: string, name: string): AuthorizerValue {
    return new AuthorizerValue(this.rights.forServiceAccount(namespace, name), this.#request);
  }
}

/** A question about rights that waits for its verb. */
class Question<T extends object = object> extends Opaque {
  readonly type: Type;
  readonly rights: UserAuthorizer;
  readonly about: T;

  constructor(type: Type, rights: UserAuthorizer, about: T) {
    super();
    this.type = type;
    this.rights = rights;
    this.about = about;
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

function nothing({ group }: { group: string }, resource: string): Asked {
  return { group, resource, subresource: '', namespace: '', name: '' };
}

function asAccount(value: AuthorizerValue, namespace: string, name: string): Result {
  if (subdomainProblem(name) !== undefined) return new EvalError('Invalid service account name');
  if (dnsLabelProblem(namespace) !== undefined) return new EvalError('Invalid service account namespace');
  return value.ofAccount(namespace, name);
}

function check({ rights, about }: Question, verb: string): Decision {
  return new Decision(rights.decide({ ...about, verb } as AccessRequest));
}

/** So expensive that an expression can ask twice. */
const checking = { cost: () => 350_000 };
/** Roles do not look at selectors. */
const ignored = ['fieldSelector', 'labelSelector'];

/** What a user may do. */
export const authorizations: readonly Overload[] = [
  defineMember('serviceAccount', [authorizer, string, string], authorizer, asAccount),
  defineMember('path', [authorizer, string], pathCheck, ({ rights }: AuthorizerValue, path: string) =>
    path.trim() === '' ? new EvalError('path must not be empty') : new Question(pathCheck, rights, { path }),
  ),
  defineMember('group', [authorizer, string], groupCheck, ({ rights }: AuthorizerValue, group: string) => {
    return new Question(groupCheck, rights, { group });
  }),
  defineMember(
    'resource',
    [groupCheck, string],
    resourceCheck,
    ({ rights, about }: Question<{ group: string }>, resource: string) =>
      resource.trim() === ''
        ? new EvalError('resource must not be empty')
        : new Question(resourceCheck, rights, nothing(about, resource)),
  ),
  ...['subresource', 'namespace', 'name'].map((field) =>
    defineMember(field, [resourceCheck, string], resourceCheck, ({ rights, about }: Question, value: string) => {
      return new Question(resourceCheck, rights, { ...about, [field]: value });
    }),
  ),
  ...ignored.map((name) =>
    defineMember(name, [resourceCheck, string], resourceCheck, (question: Question) => question),
  ),
  defineMember('check', [pathCheck, string], decision, check, checking),
  defineMember('check', [resourceCheck, string], decision, check, checking),
  defineMember('allowed', [decision], bool, ({ allowed }: Decision) => allowed),
  defineMember('reason', [decision], string, ({ reason }: Decision) => reason),
  defineMember('errored', [decision], bool, () => false),
  defineMember('error', [decision], string, () => ''),
];
