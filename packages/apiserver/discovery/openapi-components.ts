// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema.ts';

/** Named schemas as JSON: what contains itself becomes a component of its own, since JSON cannot say that otherwise. */
export function openApiComponents(named: Readonly<Record<string, Schema>>): Record<string, object> {
  const recursive = new Map<Schema, string>();
  for (const schema of Object.values(named)) findRecursive(schema, new Set(), recursive);
  const components: Record<string, object> = {};
  for (const [name, schema] of Object.entries(named)) components[name] = written(schema, recursive);
  for (const [schema, name] of recursive) components[name] = written(schema, recursive);
  return components;
}

function findRecursive(schema: Schema, above: Set<Schema>, found: Map<Schema, string>): void {
  if (above.has(schema)) {
    if (!found.has(schema)) found.set(schema, `recursive.${found.size + 1}`);
    return;
  }
  above.add(schema);
  for (const child of childrenOf(schema)) findRecursive(child, above, found);
  above.delete(schema);
}

function written(schema: Schema, recursive: ReadonlyMap<Schema, string>): object {
  const below = (child: Schema): object => {
    const name = recursive.get(child);
    return name === undefined ? written(child, recursive) : { $ref: `#/components/schemas/${name}` };
  };
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([field, child]) => [field, below(child)])),
    }),
    ...(items !== undefined && { items: below(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? below(additionalProperties) : additionalProperties,
    }),
  };
}

function childrenOf({ properties = {}, items, additionalProperties }: Schema): Schema[] {
  return [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
}
