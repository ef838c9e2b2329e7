// SPDX-License-Identifier: Apache-2.0
import { builtinKinds, CustomResourceDefinition, Event, Lease } from '@forge/kube/builtin.ts';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { Access, Controller } from '../controller.ts';
import { isSameKind } from '../owned.ts';

/** What a manager does whatever it runs: tells Events, takes part in an election. */
const common: readonly Access[] = [
  { kind: Event, verbs: ['create', 'patch'] },
  { kind: Lease, verbs: ['create', 'get', 'update'] },
];

/** How it hears that a kind which was missing has come. */
const newKinds: Access = { kind: CustomResourceDefinition, verbs: ['watch'] };

/** The least RBAC rules with which these controllers can do their work; kinds that are not required may be missing. */
export function accessRules(controllers: readonly Controller[], required: readonly Kind[]): PolicyRule[] {
  const everything = controllers.flatMap(everythingOf);
  const isThere = (kind: Kind) => [...builtinKinds, ...required].some((each) => isSameKind(each, kind));
  const missing = everything.some(({ kind }) => !isThere(kind)) ? [newKinds] : [];
  const verbs = new Map<string, Set<string>>();
  for (const { kind, subresource, verbs: wanted } of [...everything, ...missing, ...common]) {
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    const key = JSON.stringify([kind.group, resource]);
    verbs.set(key, new Set([...(verbs.get(key) ?? []), ...wanted]));
  }
  return grouped(verbs);
}

function everythingOf(controller: Controller): Access[] {
  const { for: kind, owns = [], watches = [], access = [] } = controller;
  const watched = [kind, ...owns, ...watches.map((watch) => watch.kind)];
  return [...watched.map((each) => ({ kind: each, verbs: ['get', 'list', 'watch'] })), ...access];
}

/** One rule for all resources of a group that the same is done with. */
function grouped(verbs: ReadonlyMap<string, ReadonlySet<string>>): PolicyRule[] {
  const rules = new Map<string, PolicyRule & { resources: string[] }>();
  for (const [key, wanted] of [...verbs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [group = '', resource = ''] = JSON.parse(key) as string[];
    const sorted = [...wanted].toSorted();
    const together = JSON.stringify([group, sorted]);
    const rule = rules.get(together) ?? { apiGroups: [group], resources: [], verbs: sorted };
    rule.resources.push(resource);
    rules.set(together, rule);
  }
  return [...rules.values()];
}
