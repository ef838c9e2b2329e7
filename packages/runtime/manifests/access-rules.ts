// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { builtinKinds, CustomResourceDefinition, Event, Lease } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Access, Controller } from '../controller/controller.ts';
import { isSameKind } from '../steps/owned.ts';

/** What rules are made from. */
export interface AccessSource {
  controllers: readonly Controller[];
  /** Kinds that are there; others that are not built in may be missing. */
  requires: readonly Kind[];
  /** What decides who leads; it is kept where the operator itself lives. */
  lease: { namespace: string; name: string };
  /** What else is asked of the API, by webhooks. Default: nothing. */
  further?: readonly Access[];
  /** Whether the operator works in its own namespace only. Default: everywhere. */
  namespaced?: boolean;
}

/** RBAC rules by where they hold. */
export interface AccessRules {
  /** For a ClusterRole. */
  clusterWide: PolicyRule[];
  /** For a Role in the operator's own namespace. */
  ownNamespace: PolicyRule[];
}

/** How it hears that a kind which was missing has come. */
const crdWatch: Access = { kind: CustomResourceDefinition, verbs: ['watch'] };

/** The least RBAC rules with which these controllers can do their work, led by whoever holds the Lease. */
export function accessRules({
  controllers,
  requires,
  lease,
  further = [],
  namespaced = false,
}: AccessSource): AccessRules {
  const wanted = [...controllers.flatMap(accessOf), ...further, ...requires.map((kind) => ({ kind, verbs: ['list'] }))];
  const isThere = (kind: Kind) => [...builtinKinds, ...requires].some((each) => isSameKind(each, kind));
  const missing = wanted.some(({ kind }) => !isThere(kind)) ? [crdWatch] : [];
  const everything: Access[] = [...wanted, ...missing, ...common(lease)];
  const isOwnNamespace = ({ kind, namespace }: Access) =>
    namespace === lease.namespace || (namespaced && kind.scope === 'Namespaced');
  const { home = [], elsewhere = [] } = Object.groupBy(everything, (each) =>
    isOwnNamespace(each) ? 'home' : 'elsewhere',
  );
  return { clusterWide: rulesOf(elsewhere), ownNamespace: rulesOf(home) };
}

/** What a manager does whatever it runs: tells Events where the objects are, takes part in an election. */
function common({ namespace, name }: AccessSource['lease']): Access[] {
  return [
    { kind: Event, verbs: ['create', 'patch'] },
    { kind: Lease, verbs: ['create'], namespace },
    { kind: Lease, verbs: ['get', 'update'], namespace, name },
  ];
}

function accessOf({ for: kind, owns = [], watches = [], access = [] }: Controller): Access[] {
  const owned = [{ kind }, ...owns.map((each) => ('predicate' in each ? each : { kind: each }))];
  const watched = [...owned.map((each) => ({ kind: each.kind, namespace: undefined })), ...watches];
  return [
    ...watched.map(({ kind: each, namespace }) => ({ kind: each, namespace, verbs: ['get', 'list', 'watch'] })),
    ...access,
  ];
}

/** One rule for all resources of a group that the same is done with. */
export function rulesOf(everything: readonly Access[]): PolicyRule[] {
  const verbs = new Map<string, Set<string>>();
  for (const { kind, subresource, verbs: wanted, name = '' } of everything) {
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    const key = JSON.stringify([kind.group, resource, name]);
    verbs.set(key, new Set([...(verbs.get(key) ?? []), ...wanted]));
  }
  const rules = new Map<string, PolicyRule & { resources: string[] }>();
  for (const [key, wanted] of [...verbs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [group = '', resource = '', name = ''] = JSON.parse(key) as string[];
    const sorted = [...wanted].toSorted();
    const together = JSON.stringify([group, name, sorted]);
    const named = name === '' ? {} : { resourceNames: [name] };
    const rule = rules.get(together) ?? { apiGroups: [group], resources: [], ...named, verbs: sorted };
    rule.resources.push(resource);
    rules.set(together, rule);
  }
  return [...rules.values()];
}
