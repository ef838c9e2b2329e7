// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';

/** Writes and settles when the bytes are on their way; a connection that is gone takes them and drops them. */
export function writeTo(connection: Duplex, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (connection.writable) connection.write(bytes, () => resolve());
    else resolve();
  });
}
