// SPDX-License-Identifier: Apache-2.0

const root = 'root';
/** What every token may do; the part of the built-in policy that clients use. */
const defaultPolicy = `path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/revoke-self" { capabilities = ["update"] }`;

/** Whether one of the policies gives all of these capabilities on the path; those of the most specific rule count. */
export function isAllowed(
  names: readonly string[],
  textOf: (name: string) => string | undefined,
  path: string,
  wanted: readonly string[],
): boolean {
  if (names.includes(root)) return true;
  const rules = names.flatMap((name) => rulesIn(name === 'default' ? defaultPolicy : (textOf(name) ?? '')));
  const matching = rules.filter((rule) => matches(rule.path, path));
  const best = matching.toSorted((one, other) => specificity(other.path) - specificity(one.path))[0]?.path;
  const granted = new Set(matching.filter((rule) => rule.path === best).flatMap(({ capabilities }) => capabilities));
  return !granted.has('deny') && wanted.every((capability) => granted.has(capability));
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
