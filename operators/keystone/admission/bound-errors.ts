// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { Keystone } from '../api/keystone.ts';
import { spec as specSchema } from '../api/spec.ts';

interface Bounded {
  readonly properties?: Readonly<Record<string, Bounded>>;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Errors of numbers beyond the bounds in the schema. */
export const boundErrors = ({ spec }: Keystone): FieldError[] => errorsBelow('spec', specSchema as Bounded, spec);

function errorsBelow(path: string, { properties = {} }: Bounded, value: object): FieldError[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const schema = properties[name];
    const field = `${path}.${name}`;
    if (schema !== undefined && isObject(part)) return errorsBelow(field, schema, part);
    const bounds = typeof part === 'number' && schema !== undefined ? brokenBounds(part, schema) : undefined;
    return bounds === undefined ? [] : [invalidValue(field, part, `${name} must be ${bounds}`)];
  });
}

function brokenBounds(value: number, { minimum, maximum = Infinity }: Bounded): string | undefined {
  if (minimum === undefined || (value >= minimum && value <= maximum)) return undefined;
  if (maximum !== Infinity) return `between ${minimum} and ${maximum}`;
  return minimum === 0 ? 'non-negative' : `at least ${minimum}`;
}
