// SPDX-License-Identifier: Apache-2.0
import { request } from 'node:http';
import type { Duplex } from 'node:stream';

/** The header with the system error code of a failed connection. */
export const errorCodeHeader = 'x-error-code';

/** Opens a connection to a name or address of the cluster through the node's socket, until the signal aborts. */
export function dial(socketPath: string, host: string, port: number, signal?: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const connecting = request({ socketPath, method: 'CONNECT', path: `${host}:${port}`, signal });
    connecting.on('connect', ({ statusCode, statusMessage, headers }, socket: Duplex, head: Buffer) => {
      // A server that sends first (MariaDB) may already have sent data.
      if (head.length > 0) socket.unshift(head);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      const refused = new Error(`cannot connect to ${host}:${port} in the cluster: ${statusMessage}`);
      reject(Object.assign(refused, { code: headers[errorCodeHeader] }));
    });
    connecting.on('error', (error) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      reject(
        new Error(`cannot connect to ${host}:${port}: the node does not answer on ${socketPath}`, { cause: error }),
      );
    });
    connecting.end();
  });
}
