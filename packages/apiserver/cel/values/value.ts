// SPDX-License-Identifier: Apache-2.0
import { lengthOf } from './code-points.ts';
import type { ListValue } from './list-value.ts';
import type { MapValue } from './map-value.ts';
import type { Type } from './type.ts';

/** A value of the language: an `int` is a bigint, a `double` a number, text and truth are JavaScript's own. */
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

/** A value, or the error in its place: errors travel as values, since `||` and `&&` may overlook them. */
export type Result = Value | EvalError;

/** Why there is no value. */
export class EvalError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** An unsigned number. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, to the nanosecond. */
export class Timestamp {
  readonly nanoseconds: bigint;
  /** Minutes east of UTC in which it was written; it prints in them. */
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

/** A type as a value: what `type(x)` gives. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may be missing. */
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

/** A value of a library's own type. */
export abstract class Opaque {
  abstract readonly type: Type;
  /** What the value counts as when costs are reckoned. */
  readonly size: number = 1;
  /** Whether another value of the same type is the same. */
  abstract equals(other: Opaque): boolean;
}

/** The type a value has at run time; of lists and maps only that they are such. */
export function kindOf(value: Value): Type['kind'] {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'double';
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional || value instanceof Opaque) return 'opaque';
  return value.kind;
}

/** The name of a value's type, as `type()` and error messages give it. */
export function typeNameOf(value: Value): string {
  if (value instanceof Opaque) return value.type.name;
  if (value instanceof Optional) return 'optional_type';
  const kind = kindOf(value);
  return typeNames.get(kind) ?? kind;
}

/** Types whose name as a value is not that of their kind. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);

/** A value as error messages show it: what is no scalar by its type. */
export function displayValue(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value);
}

/** Whether a value may be given where the type is asked for; what a list or map holds is not looked at. */
export function hasType(value: Value, { kind, name }: Type): boolean {
  if (kind === 'dyn' || kind === 'param') return true;
  const own = kindOf(value);
  return kind === 'opaque' ? own === kind && typeNameOf(value) === name : own === kind;
}

/** The size that costs are reckoned by: characters, bytes, items, entries; 1 for what has none. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  if (value instanceof Opaque) return value.size;
  const isContainer = typeof value === 'object' && value !== null && 'kind' in value;
  return isContainer ? value.size : 1;
}
