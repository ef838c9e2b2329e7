// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionNames } from '@forge/kube/generated/types.ts';
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { defaults, type Defaults } from './defaults.ts';

const names: Defaults<CustomResourceDefinitionNames> = ({ kind, ...given }) => ({
  ...(kind !== '' && { singular: kind.toLowerCase(), listKind: `${kind}List` }),
  ...given,
  kind,
});

const defaultSpec = defaults<CustomResourceDefinition>(
  {},
  { spec: defaults({ conversion: { strategy: 'None' } }, { names }) },
);

/** A definition with the names that follow from its kind; one whose status names no stored version stores the current one. */
export function defaultDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  const isNamed = status === undefined || stored === undefined || (status.storedVersions ?? []).length > 0;
  return defaultSpec(isNamed ? definition : { ...definition, status: { ...status, storedVersions: [stored] } });
}

/** What holds a dying definition back until nothing of what it defined is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** A definition as it is born: nothing accepted yet. */
export function prepareDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const stored = definition.spec.versions.find(({ storage }) => storage);
  const storedVersions = stored === undefined ? [] : [stored.name];
  // A real server shows a list that nobody has made yet as null.
  const conditions = null as never;
  return { ...definition, status: { conditions, acceptedNames: { plural: '', kind: '' }, storedVersions } };
}

/** A changed definition remembers every version it ever stored objects in. */
export function recordStoredVersion(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status = {} } = definition;
  const { storedVersions = [] } = status;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  if (stored === undefined || storedVersions.includes(stored)) return definition;
  return { ...definition, status: { ...status, storedVersions: [...storedVersions, stored] } };
}

/** A definition whose deletion has begun: it waits for its objects. */
export function terminatingDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata, status } = definition;
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Terminating');
  conditions.push({
    type: 'Terminating',
    status: 'True',
    ...(metadata.deletionTimestamp !== undefined && { lastTransitionTime: metadata.deletionTimestamp }),
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
  return {
    ...definition,
    metadata: { ...metadata, finalizers: [...finalizers, cleanupFinalizer] },
    status: { ...status, conditions },
  };
}
