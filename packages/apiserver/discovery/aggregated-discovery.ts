// SPDX-License-Identifier: Apache-2.0
import type { Resource } from '../resource.ts';
import { groupNames, subresourcesOf, verbsOf, versionsOf } from './api-groups.ts';

/** All groups, versions and resources in one answer: the core group's, or all the others'. */
export function aggregatedDiscovery(resources: readonly Resource[], core: boolean): object {
  const groups = groupNames(resources).filter((group) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: { ...(group !== '' && { name: group }), creationTimestamp: null },
      versions: versionsOf(resources, group).map((version) => ({
        version,
        resources: resources
          .filter(({ kind }) => kind.group === group && kind.version === version)
          .map((resource) => describe(resource)),
        freshness: 'Current',
      })),
    })),
  };
}

function describe(resource: Resource): object {
  const { plural, singular, scope, kind, shortNames, categories, group, version } = resource.kind;
  const subresources = subresourcesOf(resource).map(({ name, ...rest }) => ({ subresource: name, ...rest }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
