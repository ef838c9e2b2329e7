// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/builtin.ts';
import { invalidValue, required, type FieldError } from '@forge/kube/field-error.ts';
import type { CustomResourceDefinitionVersion } from '@forge/kube/generated/types.ts';
import { structuralErrors } from '@forge/kube/structural.ts';
import { jsonPath } from '../table/json-path.ts';
import { immutable } from './field-error.ts';

/** A definition is named after its resource, stores exactly one version, and has a schema for each. */
export function validateDefinition(
  { metadata, spec }: CustomResourceDefinition,
  before: CustomResourceDefinition | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.name !== `${spec.names.plural}.${spec.group}`) {
    errors.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  if (spec.versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(
      invalidValue(
        'spec.versions',
        spec.versions.map(({ name }) => name),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  for (const [index, version] of spec.versions.entries())
    errors.push(...validateVersion(version, `spec.versions[${index}]`));
  if (before === undefined) return errors;
  if (spec.group !== before.spec.group) errors.push(immutable('spec.group', spec.group));
  if (spec.scope !== before.spec.scope) errors.push(immutable('spec.scope', spec.scope));
  for (const name of ['plural', 'kind'] as const) {
    if (spec.names[name] !== before.spec.names[name]) errors.push(immutable(`spec.names.${name}`, spec.names[name]));
  }
  return errors;
}

function validateVersion(
  { schema, additionalPrinterColumns = [] }: CustomResourceDefinitionVersion,
  field: string,
): FieldError[] {
  const openApi = schema?.openAPIV3Schema;
  const errors =
    openApi === undefined
      ? [required(`${field}.schema.openAPIV3Schema`, 'schemas are required')]
      : structuralErrors(openApi, `${field}.schema.openAPIV3Schema`);
  return [
    ...errors,
    ...additionalPrinterColumns.flatMap(({ jsonPath: path }, index) => {
      const problem = jsonPathProblem(path);
      const place = `${field}.additionalPrinterColumns[${index}].jsonPath`;
      return problem === undefined ? [] : [invalidValue(place, path, problem)];
    }),
  ];
}

function jsonPathProblem(path: string): string | undefined {
  try {
    jsonPath(path);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
