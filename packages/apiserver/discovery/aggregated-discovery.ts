// SPDX-License-Identifier: Apache-2.0
import type { Resource } from '../resources/resource.ts';
import { groupNames, membersOf, subresourcesOf, verbsOf, versionsOf, type Subresource } from './api-groups.ts';

/** Aggregated discovery of the core group, or of all other groups. */
export function aggregatedDiscovery(resources: readonly Resource[], core: boolean): object {
  const groups = groupNames(resources).filter((group) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versionsOf(resources, group).map((version) => ({
        version,
        resources: membersOf(resources, group, version).map((resource) => describe(resource)),
        freshness: 'Current',
      })),
    })),
  };
}

function describe(resource: Resource): object {
  const { plural, singular, scope, kind, shortNames, categories, group, version } = resource.kind;
  const kindOf = (of: Subresource['responseKind']): object => {
    // Built-in resources leave out a group and version that equal their own.
    const isOwn = !resource.custom && of.group === group && of.version === version;
    return isOwn ? { group: '', version: '', kind: of.kind } : of;
  };
  const subresources = subresourcesOf(resource).map(({ name, responseKind, verbs }) => ({
    subresource: name,
    responseKind: kindOf(responseKind),
    verbs,
  }));
  return {
    resource: plural,
    responseKind: kindOf({ group, version, kind }),
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
