// SPDX-License-Identifier: Apache-2.0

/** An answer with two faces: the JSON value for callers in this process, its bytes for the wire. Each is made on demand. */
export interface Payload {
  readonly value: unknown;
  readonly bytes: Uint8Array;
  /** What the bytes say, as long as they have not been made: it can be sent without them. */
  readonly text?: string | undefined;
  /** The bytes of a long answer, piece by piece; each is parts that are sent together and need not be copied for it. */
  readonly pieces?: () => Iterable<readonly Uint8Array[]>;
}

/** A payload of any JSON value. */
export function jsonPayload(value: unknown): Payload {
  return lazyPayload(
    () => value,
    () => Buffer.from(JSON.stringify(value)),
  );
}

/** A payload whose faces are each made at most once, when first looked at. */
export function lazyPayload(
  makeValue: () => unknown,
  makeBytes: () => Uint8Array,
  pieces?: Payload['pieces'],
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
    ...(pieces !== undefined && { pieces }),
  };
}
