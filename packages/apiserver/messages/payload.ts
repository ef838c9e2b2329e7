// SPDX-License-Identifier: Apache-2.0

/** A response body as a JSON value, for in-process callers, and as bytes, for the wire; each is made on demand. */
export interface Payload {
  readonly value: unknown;
  readonly bytes: Uint8Array;
  /** The body as a string, while bytes have not been made; it can be sent as is. */
  readonly text?: string | undefined;
  /**
   * The bytes of a body that may be large, in chunks that are each made in one turn of the event loop: lists of buffers to be
   * written together without copying.
   */
  readonly pieces?: () => Iterable<readonly Uint8Array[]>;
  /** The parts of a list, for other encodings. */
  readonly list?: ListParts;
}

/** A list as its head and items. */
export interface ListParts {
  readonly head: object;
  /** The field of the items: `items`, or `rows` of a Table. */
  readonly field: string;
  /** The items' values, each made on demand. */
  readonly items: Iterable<unknown>;
}

/** A payload of any JSON value. */
export function jsonPayload(value: unknown): Payload {
  return lazyPayload(
    () => value,
    () => Buffer.from(JSON.stringify(value)),
  );
}

/** A payload whose value and bytes are each computed at most once, on first use. */
export function lazyPayload(
  makeValue: () => unknown,
  makeBytes: () => Uint8Array,
  parts?: Pick<Payload, 'pieces' | 'list'>,
): Payload {
  let value: unknown;
  let bytes: Uint8Array | undefined;
  return {
    get value() {
      return (value ??= makeValue());
    },
    get bytes() {
      return (bytes ??= makeBytes());
    },
    ...parts,
  };
}
