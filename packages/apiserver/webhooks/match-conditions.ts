// SPDX-License-Identifier: Apache-2.0
import type { Authorizer } from '../access/authorize.ts';
import { serviceAccountGroups, serviceAccountUserName } from '../access/service-account-user.ts';
import { AuthorizerValue, type UserAuthorizer } from '../cel/library/authorizations.ts';
import type { MatchCondition } from '../cel/rules/match-condition.ts';
import { jsonValue } from '../cel/values/json-value.ts';
import { CostExceeded, Meter } from '../cel/values/meter.ts';
import { EvalError, type Result } from '../cel/values/value.ts';
import type { User } from '../messages/server-request.ts';
import { forbidden } from '../messages/status-errors.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import { requestOf } from './admission-review.ts';
import type { Invocation } from './match-webhook.ts';

const callLimit = 1_000_000;
const webhookLimit = 2_500_000;

/** Whether all matchConditions hold; on errors the failure policy applies. */
export function conditionsHold(
  attributes: AdmissionAttributes,
  { webhook, version }: Invocation,
  authorizer: Authorizer,
): boolean {
  const { conditions, failurePolicy } = webhook;
  if (conditions.length === 0) return true;
  const values = {
    object: jsonValue(attributes.object),
    oldObject: jsonValue(attributes.before),
    request: jsonValue(requestOf(attributes, version)),
    authorizer: new AuthorizerValue(userAuthorizerOf(attributes.user, authorizer), accessTargetOf(attributes)),
  };
  let budget = webhookLimit;
  const errors: string[] = [];
  for (const condition of conditions) {
    const meter = new Meter(Math.min(callLimit, budget));
    const result = evaluate(condition, values, meter);
    budget -= meter.cost;
    if (result === false) return false;
    if (result instanceof EvalError) {
      errors.push(`expression '${condition.expression}' resulted in error: ${result.message}`);
    }
  }
  if (errors.length === 0) return true;
  if (failurePolicy === 'Ignore') return false;
  const why = errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`;
  throw forbidden(attributes.resource.kind, attributes.name, why);
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

function evaluate({ program }: MatchCondition, values: Readonly<Record<string, Result>>, meter: Meter): Result {
  if (typeof program === 'string') return new EvalError(program);
  try {
    return program(values, meter);
  } catch (error) {
    if (error instanceof CostExceeded) return new EvalError(error.message);
    throw error;
  }
}
