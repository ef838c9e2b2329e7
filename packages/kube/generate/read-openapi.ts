// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, KindFacts } from '../schema/definition.ts';
import { includedKinds, definitionKey, describedElsewhere } from './kinds.ts';
import type { GoValues, GoValuesOf } from './read-go-types.ts';

/** A node of the published OpenAPI v3 documents, with the fields that are read. */
interface OpenApiSchema extends Omit<Definition, 'properties' | 'items' | 'additionalProperties'> {
  allOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  properties?: Record<string, OpenApiSchema>;
  items?: OpenApiSchema;
  additionalProperties?: OpenApiSchema;
}

interface Operation {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string };
}

interface OpenApi {
  paths: Record<string, { get?: Operation; put?: Operation; post?: Operation }>;
  components: { schemas: Record<string, OpenApiSchema> };
}

/** The included kinds in the documents: facts of each, and every definition reachable from them. */
export function readOpenApi(
  folder: string,
  goValuesOf: GoValuesOf,
): {
  kinds: Record<string, KindFacts>;
  definitions: Record<string, Definition>;
} {
  const kinds: Record<string, KindFacts> = {};
  const definitions: Record<string, Definition> = {};
  const origins = new Map<string, string>();
  for (const [apiVersion, names] of Object.entries(includedKinds)) {
    for (const kind of names) {
      const document = readDocument(folder, describedElsewhere[kind] ?? apiVersion);
      const full = fullName(document, kind);
      const definition = keyOf(full);
      kinds[`${apiVersion}/${kind}`] = { ...factsOf(document, kind), ...(definition !== kind && { definition }) };
      collect({ document, definitions, origins, goValuesOf }, full);
    }
  }
  return { kinds, definitions: Object.fromEntries(Object.entries(definitions).toSorted(byKey)) };
}

function readDocument(folder: string, apiVersion: string): OpenApi {
  const root = apiVersion.includes('/') ? `apis__${apiVersion.replace('/', '__')}` : `api__${apiVersion}`;
  return JSON.parse(readFileSync(join(folder, `${root}_openapi.json`), 'utf8')) as OpenApi;
}

function factsOf({ paths }: OpenApi, kind: string): KindFacts {
  const collection = Object.keys(paths).find((path) => {
    const posted = paths[path]?.post?.['x-kubernetes-group-version-kind'];
    return posted?.kind === kind && /\/[a-z]+$/.test(path);
  });
  if (collection === undefined) throw new Error(`${kind}: no path in the OpenAPI document creates it`);
  return {
    plural: collection.slice(collection.lastIndexOf('/') + 1),
    scope: collection.includes('/namespaces/{namespace}/') ? 'Namespaced' : 'Cluster',
    subresources: (['status', 'scale'] as const).filter((name) => `${collection}/{name}/${name}` in paths),
  };
}

function fullName({ components }: OpenApi, kind: string): string {
  const [full, ...others] = Object.keys(components.schemas).filter((each) => each.endsWith(`.${kind}`));
  if (full !== undefined && others.length === 0) return full;
  throw new Error(`${kind}: the OpenAPI document must have exactly one definition of this name`);
}

/** RawExtension is atomic. */
function owned(structure: Definition, key: string): Definition {
  return key === 'RawExtension' ? { ...structure, 'x-kubernetes-map-type': 'atomic' } : structure;
}

interface Collection {
  document: OpenApi;
  definitions: Record<string, Definition>;
  /** The full names of the definitions. */
  origins: Map<string, string>;
  goValuesOf: GoValuesOf;
}

/** Copies the definition of this full name and all it refers to; `open` are the definitions in progress. */
function collect(into: Collection, full: string, open = new Set<string>()): void {
  const { document, definitions, origins, goValuesOf } = into;
  const key = keyOf(full);
  if (origins.get(key) === full) return;
  const schema = document.components.schemas[full];
  if (schema === undefined) throw new Error(`${full}: the OpenAPI document that refers to it does not define it`);
  open.add(full);
  const structure = structureOf(schema, (reference) => {
    // A schema is a finite tree: a recursive reference becomes an untyped object.
    if (open.has(reference)) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    collect(into, reference, open);
    return { $ref: keyOf(reference) };
  });
  open.delete(full);
  const definition = structure.properties === undefined ? owned(structure, key) : asInGo(structure, goValuesOf(full));
  const origin = origins.get(key);
  if (origin === undefined) {
    origins.set(key, full);
    definitions[key] = definition;
  } else if (JSON.stringify(definition) !== JSON.stringify(definitions[key])) {
    throw new Error(`${full} is not ${origin}: list it as a namesake in kinds.ts`);
  }
}

/** The structure with Go's handling of zero values: omitted, or always present. */
function asInGo({ properties = {}, ...structure }: Definition, { omitted, shown, absent }: GoValues): Definition {
  const withZeros = Object.entries(properties).map(([name, property]): [string, Definition] => {
    const { zero = shown.has(name) ? property.default : undefined, ...rest } = property;
    if (absent.has(name) && property.$ref !== undefined && zero === null) return [name, rest];
    if (omitted.has(name) && property.type === 'array') return [name, rest];
    const isPlain = plainTypes.includes(property.type ?? '') && property.format !== 'date-time';
    if (isPlain && omitted.has(name)) return [name, { ...rest, omitsZero: true }];
    return [name, isPlain && zero !== undefined ? { ...rest, zero } : property];
  });
  return { ...structure, properties: Object.fromEntries(withZeros) };
}

const plainTypes = ['boolean', 'integer', 'number', 'string'];

const keptKeys = [
  'type',
  'required',
  'format',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
] as const;

function structureOf(schema: OpenApiSchema, refer: (name: string) => Definition): Definition {
  const { $ref = schema.allOf?.[0]?.$ref, type, properties, items, additionalProperties, oneOf } = schema;
  const inner = (child: OpenApiSchema): Definition => structureOf(child, refer);
  const isUntyped =
    $ref === undefined && oneOf === undefined && (type === undefined || type === 'object') && properties === undefined;
  return {
    ...($ref !== undefined && refer($ref.slice($ref.lastIndexOf('/') + 1))),
    ...Object.fromEntries(keptKeys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]])),
    ...(oneOf !== undefined && { 'x-kubernetes-int-or-string': true, format: schema.format ?? 'quantity' }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .toSorted(byKey)
          .map(([key, value]) => [key, { ...inner(value), ...chosenDefault(key, schema), ...zeroOf(key, schema) }]),
      ),
    }),
    ...(items !== undefined && { items: inner(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: inner(additionalProperties) }),
    ...(isUntyped && additionalProperties === undefined && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

/** Structs in statuses: their required fields are set by controllers. */
const leftToControllers = ['status', 'acceptedNames', 'kubeletEndpoint', 'nodeInfo'];

/** A field's default, unless it is only Go's zero value of a required field. */
function chosenDefault(key: string, { properties, required }: OpenApiSchema): { default?: unknown } {
  const value = properties?.[key]?.default;
  const isChosen = value !== undefined && required?.includes(key) !== true && !leftToControllers.includes(key);
  return isChosen ? { default: value } : {};
}

/** Go's JSON of a field that was not set: structs, strings with an empty default, and required fields are present. */
function zeroOf(key: string, { properties, required }: OpenApiSchema): { zero?: unknown } {
  const value = properties?.[key]?.default;
  if (JSON.stringify(value) === '{}' || value === '') return { zero: value };
  return required?.includes(key) === true ? { zero: value ?? null } : {};
}

/** The key of a definition by its full name: `io.k8s.api.core.v1.Pod` is `Pod` in the Go package `api/core/v1`. */
function keyOf(full: string): string {
  const path = full.replace('io.k8s.', '').split('.');
  const name = path.pop() ?? '';
  return definitionKey(path.join('/'), name);
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
