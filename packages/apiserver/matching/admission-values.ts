// SPDX-License-Identifier: Apache-2.0
import type { Authorizer } from '../access/authorize.ts';
import { serviceAccountGroups, serviceAccountUserName } from '../access/service-account-user.ts';
import { AuthorizerValue, type UserAuthorizer } from '../cel/library/authorizations.ts';
import { jsonValue } from '../cel/values/json-value.ts';
import { LazyMap } from '../cel/values/lazy-map.ts';
import type { Value } from '../cel/values/value.ts';
import type { User } from '../messages/server-request.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import { objectIn, requestOf } from './admission-request.ts';

/** What expressions see of a request, in one version of its resource. */
export interface AdmissionValues extends Readonly<Record<string, Value>> {
  readonly object: Value;
  readonly oldObject: Value;
  readonly request: Value;
  readonly namespaceObject: Value;
  readonly authorizer: Value;
}

/** The values of an expression's variables; matchConditions do not see the namespace. */
export function admissionValues(
  attributes: AdmissionAttributes,
  version: string,
  authorizer: Authorizer,
): AdmissionValues {
  // What is read most comes last, since it is found first.
  return {
    request: new LazyMap(() => requestOf(attributes, version)),
    namespaceObject: null,
    authorizer: new AuthorizerValue(
      () => userAuthorizerOf(attributes.user, authorizer),
      () => accessTargetOf(attributes),
    ),
    oldObject: jsonValue(objectIn(attributes, attributes.before, version)),
    object: jsonValue(objectIn(attributes, attributes.object, version)),
  };
}

function userAuthorizerOf(user: User, authorizer: Authorizer): UserAuthorizer {
  return {
    decide: (access) => authorizer(user, access),
    forServiceAccount: (namespace, name) =>
      userAuthorizerOf(
        { name: serviceAccountUserName({ namespace, name }), groups: serviceAccountGroups(namespace) },
        authorizer,
      ),
  };
}

/** The resource of the request, for the CEL authorizer. */
function accessTargetOf({ resource: { kind: of }, subresource = '', namespace = '', name }: AdmissionAttributes) {
  return { group: of.group, resource: of.plural, subresource, namespace, name };
}
