// SPDX-License-Identifier: Apache-2.0
import type { GoField, GoPackage, GoPackages } from './go-package.ts';

/** The fields of a struct that are values, not pointers: those with and without omitempty. */
export interface GoValues {
  omitted: ReadonlySet<string>;
  shown: ReadonlySet<string>;
  /** Pointers with omitempty. */
  absent: ReadonlySet<string>;
}

/** Finds them by the full OpenAPI name of a definition. */
export type GoValuesOf = (definition: string) => GoValues;

/** Reads the Go types in these packages on demand. */
export function readGoTypes(packages: GoPackages): GoValuesOf {
  return (definition) => {
    // `io.k8s.api.core.v1.Pod` is the struct `Pod` in `api/core/v1`.
    const path = definition.replace('io.k8s.', '').split('.');
    const struct = path.pop() ?? '';
    const fields = [...fieldsOf(struct, packages(path.join('/')))];
    const namesOf = (isPointer: boolean, isOmitted: boolean) => {
      const chosen = fields.filter(
        ({ type, isOmittedWhenEmpty }) => type.startsWith('*') === isPointer && isOmittedWhenEmpty === isOmitted,
      );
      return new Set(chosen.map(({ name }) => name));
    };
    return { omitted: namesOf(false, true), shown: namesOf(false, false), absent: namesOf(true, true) };
  };
}

function* fieldsOf(struct: string, home: GoPackage): Generator<GoField> {
  for (const field of home.structs.get(struct) ?? []) {
    if (field.name === '') yield* fieldsOf(field.type, home);
    else yield field;
  }
}
