// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '../object.ts';
import { type FieldSet, leaf } from './field-set.ts';
import { managersOf, without, withManagers } from './managers.ts';

/** Who has written how many replicas through the scale of an object, and where the object keeps them. */
interface ScaleWrite {
  manager: string;
  replicas: number;
  path: readonly string[];
}

/**
 * The object with its replicas owned by who wrote its scale. As in a real server that entry has no time, and no replicas
 * belong to nobody. An object without managers stays without.
 */
export function trackScale<T extends KubeObject>(object: T, { manager, replicas, path }: ScaleWrite): T {
  const known = managersOf(object);
  if (known.length === 0) return object;
  const fields = path.reduceRight<FieldSet>((inner, field) => ({ [`f:${field}`]: inner }), leaf);
  const { apiVersion } = object;
  const mine = { manager, operation: 'Update' as const, apiVersion, subresource: 'scale', fields };
  return withManagers(object, [...without(known, fields), ...(replicas === 0 ? [] : [mine])]);
}
