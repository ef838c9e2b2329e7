// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '@forge/kube/generated/types.ts';
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { apiVersionOf, type Kind, type PrinterColumn } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { compareVersions } from '../resources/compare-versions.ts';
import { needsConversionWebhook } from '../resources/conversion-webhook.ts';
import { defineResource, type Resource } from '../resources/resource.ts';
import { customColumns } from '../table/custom-columns.ts';
import { validateReplicas } from '../validation/validate-replicas.ts';
import { finalizerWarnings } from '../warnings/finalizer-warnings.ts';
import { versionConverter, type Versions } from './version-converter.ts';

/** The resources of a definition. */
export interface CustomResources {
  /** In every served version. */
  readonly served: readonly Resource[];
  /** In the storage version, served or not. */
  readonly stored: Resource;
}

/** The resources of a definition that took effect at the revision `since`. */
export function customResources({ spec }: CustomResourceDefinition, since: number): CustomResources {
  const stored = spec.versions.find(({ storage }) => storage);
  if (stored === undefined) throw new Error(`${spec.names.plural}.${spec.group} has no storage version`);
  const versions: Versions = {
    schemas: new Map(spec.versions.map((version) => [apiVersionOf(spec.group, version.name), schemaOf(version)])),
    storage: apiVersionOf(spec.group, stored.name),
    since,
  };
  const servedVersions = spec.versions.filter(
    (version) => version.served && (version.storage || !needsConversionWebhook(spec)),
  );
  return {
    served: servedVersions.map((version) => customResource(spec, version, versions)),
    stored: customResource(spec, stored, versions),
  };
}

function customResource(
  spec: CustomResourceDefinitionSpec,
  version: CustomResourceDefinitionVersion,
  versions: Versions,
): Resource {
  const kind = kindOf(spec, version);
  const { scale } = version.subresources ?? {};
  return defineResource(kind, {
    custom: true,
    strategy: {
      warnings: finalizerWarnings,
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.slice(1)),
      ...(scale !== undefined && { scale, validate: (object: KubeObject) => validateReplicas(object, scale) }),
    },
    columns: customColumns(kind.printerColumns),
    storageVersion: versions.storage.split('/').at(-1) ?? '',
    ...(version.deprecated === true && { deprecation: deprecationOf(spec, version) }),
    ...versionConverter(kind.apiVersion, versions),
  });
}

/** The deprecation warning of a version: its own, or which version to use instead. */
function deprecationOf(
  { group, names, versions }: CustomResourceDefinitionSpec,
  { name, deprecationWarning }: CustomResourceDefinitionVersion,
): string {
  if (deprecationWarning !== undefined) return deprecationWarning;
  const [newest] = versions
    .filter((version) => version.served && version.deprecated !== true && compareVersions(version.name, name) < 0)
    .toSorted((a, b) => compareVersions(a.name, b.name));
  const instead = newest === undefined ? '' : `; use ${group}/${newest.name} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${instead}`;
}

function kindOf({ group, scope, names }: CustomResourceDefinitionSpec, version: CustomResourceDefinitionVersion): Kind {
  const { kind, plural, singular = kind.toLowerCase(), shortNames = [], categories = [] } = names;
  const { status, scale } = version.subresources ?? {};
  return {
    group,
    version: version.name,
    kind,
    plural,
    singular,
    scope: scope as 'Namespaced' | 'Cluster',
    apiVersion: apiVersionOf(group, version.name),
    shortNames,
    categories,
    schema: schemaOf(version),
    subresources: [
      ...(status === undefined ? [] : ['status' as const]),
      ...(scale === undefined ? [] : ['scale' as const]),
    ],
    printerColumns: (version.additionalPrinterColumns ?? []) as PrinterColumn[],
  };
}

function schemaOf({ schema }: CustomResourceDefinitionVersion): Schema {
  return schema?.openAPIV3Schema ?? {};
}
