// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { builtinKinds, CustomResourceDefinition, Event, Lease } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Access, Controller } from '../controller/controller.ts';
import { isSameKind } from '../steps/owned.ts';

/** What the rules are generated from. */
export interface AccessSource {
  controllers: readonly Controller[];
  /** Kinds that are installed; other non-built-in kinds may be missing. */
  requires: readonly Kind[];
  /** The leader election Lease, in the operator's namespace. */
  lease: { namespace: string; name: string };
  /** The access that webhooks need. Default: none. */
  further?: readonly Access[];
  /** Where the operator works: everywhere, in its own namespace, or in some that are listed. Default: everywhere. */
  watches?: 'all' | 'own' | 'listed';
}

/** RBAC rules by scope. */
export interface AccessRules {
  /** For a ClusterRole. */
  clusterWide: PolicyRule[];
  /** For a Role in each namespace that is listed. */
  watched: PolicyRule[];
  /** For a Role in the operator's own namespace. */
  ownNamespace: PolicyRule[];
  /** For a Role in each of these namespaces: what is watched there wherever the operator works. */
  elsewhere: { namespace: string; rules: PolicyRule[] }[];
}

/** Detects the installation of a missing kind. */
const crdWatch: Access = { kind: CustomResourceDefinition, verbs: ['watch'] };

/** The minimal RBAC rules of these controllers and of leader election. */
export function accessRules({
  controllers,
  requires,
  lease,
  further = [],
  watches = 'all',
}: AccessSource): AccessRules {
  const wanted = [...controllers.flatMap(accessOf), ...further, ...requires.map((kind) => ({ kind, verbs: ['list'] }))];
  const isThere = (kind: Kind) => [...builtinKinds, ...requires].some((each) => isSameKind(each, kind));
  const mayBeMissing = ({ kind, verbs }: Access) => verbs.includes('watch') && !isThere(kind);
  const missing = wanted.some(mayBeMissing) ? [crdWatch] : [];
  const everything: Access[] = [...wanted, ...missing, ...common(lease)];
  const {
    all = [],
    own = [],
    listed = [],
    elsewhere = [],
  } = Object.groupBy(everything, ({ kind, namespace }) => {
    if (namespace === lease.namespace) return 'own';
    if (namespace !== undefined) return 'elsewhere';
    return kind.scope === 'Namespaced' ? watches : 'all';
  });
  const places = Map.groupBy(elsewhere, ({ namespace = '' }) => namespace);
  return {
    clusterWide: rulesOf(all),
    watched: rulesOf(listed),
    ownNamespace: rulesOf(own),
    elsewhere: [...places]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([namespace, there]) => ({ namespace, rules: rulesOf(there) })),
  };
}

/** What every manager needs: Events and leader election. */
function common({ namespace, name }: AccessSource['lease']): Access[] {
  return [
    { kind: Event, verbs: ['create', 'patch'] },
    { kind: Lease, verbs: ['create'], namespace },
    { kind: Lease, verbs: ['get', 'update'], namespace, name },
  ];
}

function accessOf({ for: kind, scope, owns = [], watches = [], access = [] }: Controller): Access[] {
  const owned = owns.map((each) => ({ kind: 'predicate' in each ? each.kind : each, namespace: undefined }));
  const watched = [{ kind, namespace: scope?.namespace }, ...owned, ...watches];
  return [
    ...watched.map(({ kind: each, namespace }) => ({ kind: each, namespace, verbs: ['list', 'watch'] })),
    ...access,
  ];
}

/** Rules, with resources of one group and the same verbs combined. */
export function rulesOf(everything: readonly Access[]): PolicyRule[] {
  const verbs = new Map<string, Set<string>>();
  for (const { kind, subresource, verbs: added, name = '' } of everything) {
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    const key = JSON.stringify([kind.group, resource, name]);
    verbs.set(key, new Set([...(verbs.get(key) ?? []), ...added]));
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
