// SPDX-License-Identifier: Apache-2.0

/** A CEL type. */
export interface Type {
  readonly kind:
    | 'dyn'
    | 'error'
    | 'null'
    | 'bool'
    | 'int'
    | 'uint'
    | 'double'
    | 'string'
    | 'bytes'
    | 'timestamp'
    | 'duration'
    | 'list'
    | 'map'
    | 'type'
    | 'object'
    | 'opaque'
    | 'param';
  readonly name: string;
  readonly params: readonly Type[];
  /** Fields of an object by escaped name. */
  readonly fields?: ReadonlyMap<string, Type>;
  /** Number of nested types; the checker limits it. */
  readonly weight: number;
}

function simple(kind: Type['kind'], name: string = kind): Type {
  return { kind, name, params: [], weight: 1 };
}

function composed(kind: Type['kind'], name: string, params: readonly Type[]): Type {
  return { kind, name, params, weight: params.reduce((sum, { weight }) => sum + weight, 1) };
}

export const dyn = simple('dyn');
/** The type of an invalid expression; compatible with everything, so that an error is reported once. */
export const errorType = simple('error', '!error!');
export const nullType = simple('null');
export const bool = simple('bool');
export const int = simple('int');
export const uint = simple('uint');
export const double = simple('double');
export const string = simple('string');
export const bytes = simple('bytes');
export const timestamp = simple('timestamp');
export const duration = simple('duration');

/** Lists of one type. */
export function listOf(element: Type): Type {
  return composed('list', 'list', [element]);
}

/** Maps from one type to another. */
export function mapOf(key: Type, value: Type): Type {
  return composed('map', 'map', [key, value]);
}

/** An optional value. */
export function optionalOf(type: Type): Type {
  return composed('opaque', 'optional_type', [type]);
}

/** The type of a type. */
export function typeOf(type: Type): Type {
  return composed('type', 'type', [type]);
}

/** An opaque library type. */
export function opaque(name: string): Type {
  return simple('opaque', name);
}

/** An object type with declared fields; types are equal by name. */
export function objectType(name: string, fields: ReadonlyMap<string, Type>): Type {
  return { ...simple('object', name), fields };
}

/** A type parameter. */
export function param(name: string): Type {
  return simple('param', name);
}

/** Whether the type is an optional. */
export function isOptional({ kind, name }: Type): boolean {
  return kind === 'opaque' && name === 'optional_type';
}

/** The type as error messages write it: `map(string, list(int))`. */
export function formatType({ name, params }: Type): string {
  return params.length === 0 ? name : `${name}(${params.map(formatType).join(', ')})`;
}

/** Names that Go's types have where the checker's messages use shorter ones. */
const goNames: Partial<Record<Type['kind'], string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The type as messages about results write it: like `formatType`, but with the full names of messages. */
export function typeText({ kind, name, params }: Type): string {
  if (params.length === 0) return goNames[kind] ?? name;
  return `${name}(${params.map(typeText).join(', ')})`;
}

/** Whether two types are identical. */
export function isSameType(a: Type, b: Type): boolean {
  const isAlike = a.kind === b.kind && a.name === b.name && a.params.length === b.params.length;
  return a === b || (isAlike && a.params.every((each, index) => isSameType(each, b.params[index] ?? dyn)));
}
