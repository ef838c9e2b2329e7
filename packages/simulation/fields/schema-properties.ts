// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';

/** A path in a value: names of properties, keys of maps, and indexes. */
export type Path = readonly (string | number)[];

/** A property of a schema and its value in an object. */
export interface Property {
  /** Its path in the schema: `spec.middleware[].config{}`. */
  readonly place: string;
  readonly path: Path;
  readonly schema: Schema;
  /** The object's value; undefined when it has none. */
  readonly value: unknown;
}

/** Every property that the value has, and those that could be added to it. */
export function propertiesOf(schema: Schema, value: unknown, place: string, path: Path): Property[] {
  const { properties = {}, items, additionalProperties } = schema;
  const own = { place, path, schema, value };
  if (value === undefined) return [own];
  const below = Object.entries(properties).flatMap(([name, child]) =>
    propertiesOf(child, member(value, name), `${place}.${name}`, [...path, name]),
  );
  const entries = Array.isArray(value) ? value.entries().toArray() : [];
  const listed =
    items === undefined
      ? []
      : entries.flatMap(([index, each]) => propertiesOf(items, each, `${place}[]`, [...path, index]));
  const [key] = Object.keys(value as object);
  const mapped =
    typeof additionalProperties !== 'object' || key === undefined
      ? []
      : propertiesOf(additionalProperties, member(value, key), `${place}{}`, [...path, key]);
  return [own, ...below, ...listed, ...mapped];
}

/** All paths in a schema. */
export function placesOf({ properties = {}, items, additionalProperties }: Schema, place: string): string[] {
  return [
    place,
    ...Object.entries(properties).flatMap(([name, child]) => placesOf(child, `${place}.${name}`)),
    ...(items === undefined ? [] : placesOf(items, `${place}[]`)),
    ...(typeof additionalProperties === 'object' ? placesOf(additionalProperties, `${place}{}`) : []),
  ];
}

/** Whether a place in a schema is another one, or below it. */
export function isWithin(place: string, other: string): boolean {
  return place.startsWith(other) && /^(?:$|[.[{])/.test(place.slice(other.length));
}

function member(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
}

/** A copy of the object with this value at the path; without it when it is undefined. */
export function withValue<T>(object: T, path: Path, value: unknown): T {
  const copy = structuredClone(object);
  const last = path.at(-1) ?? '';
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = (parent[step] ??= {}) as typeof parent;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}
