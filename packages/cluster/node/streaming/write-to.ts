// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';

/** Writes and resolves when the bytes are sent; a closed connection discards them. */
export function writeTo(connection: Duplex, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (connection.writable) connection.write(bytes, () => resolve());
    else resolve();
  });
}
