// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionNames } from '@forge/kube/generated/types.ts';
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { type Defaults, defaults } from './defaults.ts';

const names: Defaults<CustomResourceDefinitionNames> = ({ kind, ...given }) => ({
  ...(kind !== '' && { singular: kind.toLowerCase(), listKind: `${kind}List` }),
  ...given,
  kind,
});

const defaultSpec = defaults<CustomResourceDefinition>(
  {},
  { spec: defaults({ conversion: { strategy: 'None' } }, { names }) },
);

/** Defaults of definitions: names derived from the kind, and storedVersions. */
export function defaultDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  const isNamed = status === undefined || stored === undefined || (status.storedVersions ?? []).length > 0;
  return defaultSpec(isNamed ? definition : { ...definition, status: { ...status, storedVersions: [stored] } });
}

/** Finalizer of a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** A new definition: no conditions yet. */
export function prepareDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const stored = definition.spec.versions.find(({ storage }) => storage);
  const storedVersions = stored === undefined ? [] : [stored.name];
  // kube-apiserver serializes an unset list as null.
  const conditions = null as never;
  return { ...definition, status: { conditions, acceptedNames: { plural: '', kind: '' }, storedVersions } };
}

/** Adds the storage version to status.storedVersions. */
export function recordStoredVersion(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status = {} } = definition;
  const { storedVersions = [] } = status;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  if (stored === undefined || storedVersions.includes(stored)) return definition;
  return { ...definition, status: { ...status, storedVersions: [...storedVersions, stored] } };
}

/** A definition marked for deletion, with the cleanup finalizer. */
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
