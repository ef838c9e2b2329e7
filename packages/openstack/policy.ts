// SPDX-License-Identifier: Apache-2.0
import { parse, stringify } from 'yaml';

/** Rules of oslo.policy by name. */
export type PolicyRules = Readonly<Record<string, string>>;

/** Reads the rules of a policy.yaml; undefined when it holds none. Throws when it is anything but a map of texts. */
export function parsePolicy(text: string): PolicyRules | undefined {
  const found: unknown = parse(text, { mapAsMap: true, prettyErrors: false });
  if (found === null || found === undefined) return undefined;
  if (!(found instanceof Map)) throw new Error('must be a map of rules by name');
  const rules = [...found].map(([name, rule]: [unknown, unknown]): [string, string] => {
    if (typeof name !== 'string') throw new Error(`the name ${String(name)} of a rule must be a text: quote it`);
    if (typeof rule !== 'string') throw new Error(`rule "${name}" must be a text: quote it`);
    return [name, rule];
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

/** Renders the rules in byte order of their names, so that equal rules are equal texts. */
export function renderPolicy(rules: PolicyRules): string {
  const sorted = Object.entries(rules).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // Python reads YAML 1.1, in which a bare `no` is false.
  return stringify(Object.fromEntries(sorted), { lineWidth: 0, version: '1.1' });
}
