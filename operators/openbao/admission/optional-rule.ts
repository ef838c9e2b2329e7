// SPDX-License-Identifier: Apache-2.0
import type { CelRule } from '../api/cel-rule.ts';

/** Whether a field and all its parents are present; `has` of an absent parent would be an error, which refuses the object. */
function isGiven(path: string): string {
  const names = path.split('.');
  // object.spec is always present.
  return names
    .slice(2)
    .map((_, index) => `has(${names.slice(0, index + 3).join('.')})`)
    .join(' && ');
}

/** The rule for a part of the spec that may be absent. */
export const whereGiven = (path: string, rule: CelRule): CelRule => ({
  ...rule,
  expression: `!(${isGiven(path)}) || (${rule.expression})`,
});

/** The same for a single field; the message begins with it, since a policy does not report fields. */
export const ofField = (path: string, rule: CelRule): CelRule =>
  whereGiven(path, { ...rule, message: `${path.replace('object.', '')} ${rule.message}` });

/** A rule about a change, which a creation cannot break. */
export const whereChanged = (rule: CelRule): CelRule => ({
  ...rule,
  expression: `oldObject == null || (${rule.expression})`,
});

/** The rules as one, with the message of the first that is broken: a policy reports only one, and every further rule costs time. */
export function together(rules: readonly CelRule[]): CelRule {
  const [last, ...others] = rules.toReversed();
  if (last === undefined) throw new Error('there are no rules');
  return {
    expression: rules.map(({ expression }) => `(${expression})`).join(' && '),
    message: 'the spec breaks a rule',
    messageExpression: others.reduce(
      (rest, rule) => `!(${rule.expression}) ? ${messageOf(rule)} : ${rest}`,
      messageOf(last),
    ),
  };
}

/** The message as an expression. */
const messageOf = ({ message, messageExpression = JSON.stringify(message) }: CelRule) => messageExpression;
