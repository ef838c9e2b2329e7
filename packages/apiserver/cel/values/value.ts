// SPDX-License-Identifier: Apache-2.0
import { lengthOf } from './code-points.ts';
import type { ListValue } from './list-value.ts';
import type { MapValue } from './map-value.ts';
import type { Type } from './type.ts';

/** A CEL value: an `int` is a bigint, a `double` a number, strings and booleans are JavaScript's. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | TypeValue
  | Optional
  | Opaque;

/** A value or an error: errors are values, since `||` and `&&` may ignore them. */
export type Result = Value | EvalError;

/** An evaluation error. */
export class EvalError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** An unsigned integer. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, to the nanosecond. */
export class Timestamp {
  readonly nanoseconds: bigint;
  /** Original UTC offset in minutes, used for formatting. */
  readonly offset: number;
  constructor(nanoseconds: bigint, offset = 0) {
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }
}

/** A span of time, to the nanosecond. */
export class Duration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A type as a value: the result of `type(x)`. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** An optional value. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;
  private constructor(value: Value | undefined) {
    this.value = value;
  }
  static of(value: Value): Optional {
    return new Optional(value);
  }
}

/** A value of a library type. */
export abstract class Opaque {
  abstract readonly type: Type;
  /** Its size for cost. */
  readonly size: number = 1;
  /** Equality with a value of the same type. */
  abstract equals(other: Opaque): boolean;
}

/** The run-time kind of a value; without element types. */
export function kindOf(value: Value): Type['kind'] {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'double';
  if (value === null) return 'null';
  // Lists and maps are most of the other values; only they have a kind.
  const { kind } = value as { kind?: 'list' | 'map' };
  if (kind !== undefined) return kind;
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof TypeValue) return 'type';
  return 'opaque';
}

/** The type name of a value, for `type()` and error messages. */
export function typeNameOf(value: Value): string {
  if (value instanceof Opaque) return value.type.name;
  if (value instanceof Optional) return 'optional_type';
  const kind = kindOf(value);
  return typeNames.get(kind) ?? kind;
}

/** Type names that differ from the kind. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);

/** A value in error messages; non-scalars by their type. */
export function displayValue(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value);
}

/** Whether a value has a type; elements of lists and maps are not checked. */
export function hasType(value: Value, type: Type): boolean {
  return isOfKind(value, kindOf(value), type);
}

/** The same of a value whose kind is known. */
export function isOfKind(value: Value, own: Type['kind'], { kind, name }: Type): boolean {
  if (kind === 'dyn' || kind === 'param') return true;
  return own === kind && (kind !== 'opaque' || typeNameOf(value) === name);
}

/** The size for cost: characters, bytes, items or entries; 1 for scalars. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  if (value instanceof Opaque) return value.size;
  const isContainer = typeof value === 'object' && value !== null && 'kind' in value;
  return isContainer ? value.size : 1;
}
