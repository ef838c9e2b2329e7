// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/builtin.ts';
import { apiVersionOf, type PrinterColumn } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { renewer } from './renewer.ts';
import { resource, type Resource } from './resource.ts';
import { validateReplicas } from './scale.ts';
import { customColumns } from './table/custom-columns.ts';
import { finalizerWarnings } from './warnings/finalizer-warnings.ts';

/**
 * The resource a definition makes the server serve since this revision, in the version it is stored in; undefined when that
 * is not served.
 */
export function customResource({ spec }: CustomResourceDefinition, since: number): Resource | undefined {
  const version = spec.versions.find(({ storage, served }) => storage && served);
  if (version === undefined) return undefined;
  const { kind, plural, singular = kind.toLowerCase(), shortNames = [], categories = [] } = spec.names;
  const { status, scale } = version.subresources ?? {};
  const schema = version.schema?.openAPIV3Schema ?? {};
  const printerColumns = (version.additionalPrinterColumns ?? []) as PrinterColumn[];
  return resource(
    {
      group: spec.group,
      version: version.name,
      kind,
      plural,
      singular,
      scope: spec.scope as 'Namespaced' | 'Cluster',
      apiVersion: apiVersionOf(spec.group, version.name),
      shortNames,
      categories,
      schema,
      subresources: [
        ...(status === undefined ? [] : ['status' as const]),
        ...(scale === undefined ? [] : ['scale' as const]),
      ],
      printerColumns,
    },
    {
      custom: true,
      strategy: {
        warnings: finalizerWarnings,
        selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.slice(1)),
        ...(scale !== undefined && { scale, validate: (object: KubeObject) => validateReplicas(object, scale) }),
      },
      columns: customColumns(printerColumns),
      renewed: renewer(schema, since),
    },
  );
}
