// SPDX-License-Identifier: Apache-2.0

const root = 'root';
const denial = 'deny';
/** What every token may do; the part of the built-in policy that clients use. */
const defaultPolicy = `path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }`;

type PolicyText = (name: string) => string | undefined;

/** Whether one of the policies gives all of these capabilities on the path. */
export function isAllowed(
  names: readonly string[],
  textOf: PolicyText,
  path: string,
  wanted: readonly string[],
): boolean {
  const granted = capabilitiesOn(names, textOf, path);
  return granted.includes(root) || wanted.every((capability) => granted.includes(capability));
}

/** What the policies give on the path, in order; those of the most specific rule count. */
export function capabilitiesOn(names: readonly string[], textOf: PolicyText, path: string): string[] {
  if (names.includes(root)) return [root];
  const rules = names.flatMap((name) => rulesIn(name === 'default' ? defaultPolicy : (textOf(name) ?? '')));
  const matching = rules.filter((rule) => matches(rule.path, path));
  const best = matching.toSorted((one, other) => specificity(other.path) - specificity(one.path))[0]?.path;
  const granted = new Set(matching.filter((rule) => rule.path === best).flatMap(({ capabilities }) => capabilities));
  return granted.size === 0 || granted.has(denial) ? [denial] : [...granted].toSorted();
}

function rulesIn(text: string): { path: string; capabilities: string[] }[] {
  return [...text.matchAll(/path\s+"([^"]*)"\s*\{[^}]*capabilities\s*=\s*\[([^\]]*)\]/g)].map(
    ([, path = '', list = '']) => ({
      path,
      capabilities: [...list.matchAll(/"([^"]*)"/g)].map(([, each = '']) => each),
    }),
  );
}

function matches(rule: string, path: string): boolean {
  return rule.endsWith('*') ? path.startsWith(rule.slice(0, -1)) : rule === path;
}

/** A rule without a wildcard is more specific than any with one. */
function specificity(rule: string): number {
  return rule.endsWith('*') ? rule.length : Infinity;
}
