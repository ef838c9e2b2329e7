// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';

/** Opens a connection to a host and port; rejects with the system's error code. */
export type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;

/** Dials by TCP in the network this process is in, with the system's name resolution unless there is another. */
export function tcpDial(lookup?: LookupFunction): Dial {
  return async (host, port, signal) => {
    const socket = connect({ host, port, noDelay: true, ...(lookup !== undefined && { lookup }) });
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      // Errors while it closes do not matter.
      socket.on('error', () => undefined).destroy();
      throw error;
    }
  };
}
