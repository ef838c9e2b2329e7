// SPDX-License-Identifier: Apache-2.0
import type { CelRule } from '../api/cel-rule.ts';

/**
 * Whether a field and all its parents below one that is present are; `has` of an absent parent would be an error, which
 * refuses the object.
 */
function isGiven(path: string, present: string): string {
  const names = path.split('.');
  const given = present.split('.').length;
  return names
    .slice(given)
    .map((_, index) => `has(${names.slice(0, given + index + 1).join('.')})`)
    .join(' && ');
}

/** The rule for a part of the spec that may be absent; by default only `object.spec` is known to be present. */
export const whereGiven = (path: string, rule: CelRule, present = 'object.spec'): CelRule => ({
  ...rule,
  expression: `!(${isGiven(path, present)}) || (${rule.expression})`,
});

/** The same for a single field; the message begins with it, since a policy does not report fields. */
export const ofField = (path: string, rule: CelRule, present?: string): CelRule =>
  whereGiven(path, { ...rule, message: `${path.replace('object.', '')} ${rule.message}` }, present);

/** A rule about a change, which a creation cannot break. */
export const whereChanged = (rule: CelRule): CelRule => ({
  ...rule,
  expression: `oldObject == null || (${rule.expression})`,
});

/**
 * The rules as one, with the message of the first that is broken: a policy reports only one, and every further rule
 * costs time. A shortcut holds only where all rules do, and costs less than they: they are evaluated where it does not.
 */
export function together(rules: readonly CelRule[], shortcut?: string): CelRule {
  const [last, ...others] = rules.toReversed();
  if (last === undefined) throw new Error('there are no rules');
  const all = rules.map(({ expression }) => `(${expression})`).join(' && ');
  return {
    expression: shortcut === undefined ? all : `(${shortcut}) || (${all})`,
    message: 'the spec breaks a rule',
    messageExpression: others.reduce(
      (rest, rule) => `!(${rule.expression}) ? ${messageOf(rule)} : ${rest}`,
      messageOf(last),
    ),
  };
}

/** The message as an expression. */
const messageOf = ({ message, messageExpression = JSON.stringify(message) }: CelRule) => messageExpression;
