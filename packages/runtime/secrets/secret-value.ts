// SPDX-License-Identifier: Apache-2.0
import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';

/** A value, of text or of bytes, that must not be shown: it prints as `[redacted]` wherever it is logged, joined or encoded. */
export class SecretValue {
  readonly #value: Buffer;

  constructor(value: string | Uint8Array) {
    this.#value = Buffer.from(value);
  }

  /** From the base64 text of a Secret's `data`. */
  static fromBase64(encoded: string): SecretValue {
    return new SecretValue(Buffer.from(encoded, 'base64'));
  }

  /** The value as text, for the one place that needs it. */
  reveal(): string {
    return this.#value.toString();
  }

  /** The value's bytes, for the one place that needs them. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#value);
  }

  /** The value as a Secret's `data` holds it. */
  base64(): string {
    return this.#value.toString('base64');
  }

  /** Hex HMAC-SHA256: tells whether the value changed; nobody without the key can test guesses against it. */
  digest(key: SecretValue): string {
    return createHmac('sha256', key.bytes()).update(this.#value).digest('hex');
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}
