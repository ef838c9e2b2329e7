// SPDX-License-Identifier: Apache-2.0
import type { Definition } from './definition.ts';
import generated from './definitions.json' with { type: 'json' };
import type { Schema } from './schema.ts';

const definitions = generated.definitions as Record<string, Definition>;
const linked = new Map<string, Schema>();

/** The schema of a built-in kind without metadata; built on first use, since most processes use few kinds. */
export function kindSchema(definition: string): Schema {
  const key = `kind ${definition}`;
  const known = linked.get(key);
  if (known !== undefined) return known;
  const { properties = {}, required = [], ...rest } = link(definition);
  const { apiVersion: _, kind: __, metadata: ___, ...own } = properties;
  const schema = { ...rest, properties: own, required: required.filter((field) => field in own) };
  linked.set(key, schema);
  return schema;
}

/** The schema of object metadata, the same for every kind. */
export function metadataSchema(): Schema {
  return link('ObjectMeta');
}

/** The schema of a definition of the built-in kinds, for custom resources that embed it. */
export function definitionSchema(name: string): Schema {
  return link(name);
}

const names = new WeakMap<Schema, string>();

/** The name of the definition of a built-in schema: `PodSpec`, `discovery.EndpointPort`. */
export function definitionName(schema: Schema): string | undefined {
  return names.get(schema);
}

/** The definition with its references replaced by what they name. */
function link(name: string): Schema {
  const known = linked.get(name);
  if (known !== undefined) return known;
  const definition = definitions[name];
  if (definition === undefined) throw new Error(`No definition ${name}: run generate/main.ts again`);
  const schema = resolve(definition);
  names.set(schema, name);
  linked.set(name, schema);
  return schema;
}

function resolve(definition: Definition): Schema {
  const { $ref, properties, items, additionalProperties, ...rest } = definition;
  if ($ref !== undefined) {
    if (Object.keys(rest).length === 0) return link($ref);
    const schema = { ...link($ref), ...rest };
    names.set(schema, $ref);
    return schema;
  }
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, resolve(value)])),
    }),
    ...(items !== undefined && { items: resolve(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: resolve(additionalProperties) }),
  };
}
