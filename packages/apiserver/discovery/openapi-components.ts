// SPDX-License-Identifier: Apache-2.0
import { isObject, mapFields, type JsonObject } from '@forge/kube/objects/json.ts';
import { definitionName, definitionSchema } from '@forge/kube/schema/kind-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';

type Components = Record<string, JsonObject>;

/** Schemas as OpenAPI components: named definitions of Kubernetes become components of their own. */
export function openApiComponents(named: Readonly<Record<string, Schema>>): Components {
  const components: Components = {};
  for (const [name, schema] of Object.entries(named)) components[name] = written(schema, components);
  return components;
}

/** A reference to a component. */
export function reference(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}

function referred(schema: Schema, components: Components): JsonObject {
  const name = definitionName(schema);
  if (name === undefined) return written(schema, components);
  const definition = definitionSchema(name);
  const component = `io.k8s.${name}`;
  if (components[component] === undefined) {
    // Registered before it is filled: it may be recursive.
    const own = (components[component] = {});
    Object.assign(own, written(definition, components));
  }
  const differing = Object.entries(schema).filter(
    ([word, value]) => !internal.has(word) && value !== definition[word as keyof Schema],
  );
  return differing.length === 0
    ? reference(component)
    : { ...Object.fromEntries(differing), allOf: [reference(component)] };
}

function written(schema: Schema, components: Components): JsonObject {
  const below = (child: unknown): JsonObject => referred(child as Schema, components);
  return mapFields(schema as JsonObject, (value, word) => {
    if (internal.has(word)) return undefined;
    if (word === 'properties') return mapFields(value as JsonObject, below);
    return word === 'items' || (word === 'additionalProperties' && isObject(value)) ? below(value) : value;
  });
}

/** Fields that are not published. */
const internal = new Set<string>(['zero', 'omitsZero'] satisfies (keyof Schema)[]);
