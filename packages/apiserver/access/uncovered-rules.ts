// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { coversUrl } from './rule-allows.ts';

/** The requested rules that the held rules do not cover, one entry per resource or path. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const total = wanted.reduce((sum, rule) => sum + combinationsOf(rule), 0);
  const parts = total > maxSplitRules ? wanted : wanted.flatMap(splitRule);
  return compacted(parts.filter((part) => !held.some((rule) => covers(rule, part))));
}

/** Rules with more combinations are not split: short lists can multiply to millions. */
const maxSplitRules = 10_000;

function combinationsOf({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): number {
  const names = Math.max(1, resourceNames?.length ?? 0);
  return verbs.length * ((apiGroups?.length ?? 0) * (resources?.length ?? 0) * names + (nonResourceURLs?.length ?? 0));
}

/** Splits a rule into equivalent rules with a single verb and a single resource and name, or path. */
function splitRule({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
  verbs,
}: PolicyRule): PolicyRule[] {
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return [...ofResources, ...ofPaths];
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const { resourceNames: names = [] } = part;
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(resources, resource)) &&
    (part.nonResourceURLs ?? []).every((path) => nonResourceURLs.some((url) => coversUrl(url, path))) &&
    (resourceNames.length === 0 || (names.length > 0 && names.every((name) => resourceNames.includes(name))))
  );
}

function hasAll(list: readonly string[], wanted: readonly string[] = []): boolean {
  return list.includes('*') || wanted.every((each) => list.includes(each));
}

function coversResource(resources: readonly string[], resource: string): boolean {
  if (resources.includes('*') || resources.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && resources.includes(`*${resource.slice(slash)}`);
}

/** Merges rules that differ only in their verb. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const paths = rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined);
  const bySubject = Map.groupBy(
    rules.filter((rule) => !paths.includes(rule)),
    ({ apiGroups, resources, resourceNames }) => JSON.stringify([apiGroups, resources, resourceNames]),
  );
  return [
    ...paths,
    ...bySubject.values().map(([first, ...others]) => ({
      ...(first as PolicyRule),
      verbs: [first as PolicyRule, ...others].flatMap(({ verbs }) => verbs),
    })),
  ];
}
