// SPDX-License-Identifier: Apache-2.0
import type { Definition, KindFacts } from '../schema/definition.ts';

/** Definitions without an interface in the generated file, and the types used instead. */
const expressions: Readonly<Record<string, string>> = {
  FieldsV1: 'Record<string, unknown>',
  IntOrString: 'number | string',
  JSON: 'unknown',
  MicroTime: 'string',
  Condition: 'Condition',
  // Metadata of templates has no name.
  ObjectMeta: 'Partial<ObjectMeta>',
  JSONSchemaProps: 'Schema',
  JSONSchemaPropsOrArray: 'Schema',
  JSONSchemaPropsOrBool: 'Schema | boolean',
  JSONSchemaPropsOrStringArray: 'Schema | string[]',
  Quantity: 'string | number',
  RawExtension: 'Record<string, unknown>',
  Time: 'string',
};

/** The TypeScript source of the static types of the definitions. */
export function typeSource(kinds: Record<string, KindFacts>, definitions: Record<string, Definition>): string {
  const kindOf = new Map(
    Object.entries(kinds).map(([key, { definition }]) => {
      const kind = key.slice(key.lastIndexOf('/') + 1);
      return [definition ?? kind, { apiVersion: key.slice(0, key.lastIndexOf('/')), kind }];
    }),
  );
  const interfaces = reachable(definitions, [...kindOf.keys()]).map((name) =>
    interfaceOf(name, definitions[name] ?? {}, kindOf.get(name)),
  );
  return [
    '// SPDX-License-Identifier: Apache-2.0',
    '// Generated from the OpenAPI documents of Kubernetes by generate/main.ts; do not edit.',
    "import type { Condition, KubeObject, ObjectMeta } from '../objects/object.ts';",
    "import type { Schema } from '../schema/schema.ts';",
    '',
    ...interfaces,
  ].join('\n');
}

/** The definitions that need an interface: those that a kind refers to, except through one of `expressions`. */
function reachable(definitions: Record<string, Definition>, roots: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name) || name in expressions) return;
    seen.add(name);
    for (const reference of referencesOf(definitions[name] ?? {})) visit(reference);
  };
  roots.forEach(visit);
  return [...seen].toSorted();
}

function* referencesOf(definition: Definition): Generator<string> {
  if (definition.$ref !== undefined) yield definition.$ref;
  for (const property of Object.values(definition.properties ?? {})) yield* referencesOf(property);
  if (definition.items !== undefined) yield* referencesOf(definition.items);
  if (definition.additionalProperties !== undefined) yield* referencesOf(definition.additionalProperties);
}

function interfaceOf(
  name: string,
  { properties = {}, required = [] }: Definition,
  head?: { apiVersion: string; kind: string },
): string {
  const inherited = head === undefined ? [] : ['apiVersion', 'kind', 'metadata'];
  const fields = Object.entries(properties)
    .filter(([key]) => !inherited.includes(key))
    .map(([key, value]) => `  ${fieldName(key)}${required.includes(key) ? '' : '?'}: ${typeOf(value)};`);
  const opening =
    head === undefined
      ? [`export interface ${interfaceName(name)} {`]
      : [
          `export interface ${interfaceName(name)} extends KubeObject {`,
          `  apiVersion: '${head.apiVersion}';`,
          `  kind: '${head.kind}';`,
        ];
  return [...opening, ...fields, '}', ''].join('\n');
}

/** The name of the interface of a definition: `events.Event` is `EventsEvent`. */
function interfaceName(definition: string): string {
  return definition.includes('.')
    ? definition.replace(/^./, (first) => first.toUpperCase()).replace('.', '')
    : definition;
}

function fieldName(key: string): string {
  return /^[A-Za-z$]\w*$/.test(key) ? key : `'${key}'`;
}

function typeOf({ $ref, type, items, additionalProperties }: Definition): string {
  if ($ref !== undefined) return expressions[$ref] ?? interfaceName($ref);
  if (type === undefined) return 'unknown';
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `${parenthesized(typeOf(items ?? {}))}[]`;
    case 'object':
      return `Record<string, ${typeOf(additionalProperties ?? {})}>`;
    case 'string':
    case 'number':
    case 'boolean':
      return type;
  }
}

function parenthesized(type: string): string {
  return type.includes('|') ? `(${type})` : type;
}
