// SPDX-License-Identifier: Apache-2.0
import { definitionName, definitionSchema } from '@forge/kube/schema/kind-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';

type Components = Record<string, object>;

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

function referred(schema: Schema, components: Components): object {
  const name = definitionName(schema);
  if (name === undefined) return written(schema, components);
  const definition = definitionSchema(name);
  const component = `io.k8s.${name}`;
  if (components[component] === undefined) {
    // Registered before it is filled: it may be recursive.
    const own = (components[component] = {});
    Object.assign(own, written(definition, components));
  }
  const differing = Object.entries(publicPart(schema)).filter(
    ([word, value]) => value !== definition[word as keyof Schema],
  );
  return differing.length === 0
    ? reference(component)
    : { ...Object.fromEntries(differing), allOf: [reference(component)] };
}

function written(schema: Schema, components: Components): object {
  const { properties, items, additionalProperties, ...rest } = publicPart(schema);
  const below = (child: Schema): object => referred(child, components);
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

/** A schema without internal fields. */
function publicPart(schema: Schema): Schema {
  const { zero: _, omitsZero: __, ...rest } = schema;
  return rest;
}
