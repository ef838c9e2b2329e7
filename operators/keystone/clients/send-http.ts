// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import type { Send } from './keystone-api.ts';

// Imported as a module, it would load Node's fetch as well: a sixth of an operator's start.
const { request } = process.getBuiltinModule('node:http');

/** Sends plain HTTP requests: into the network this process is in, or through connections that somebody else opens. */
export function sendHttp(dial?: (host: string, port: number) => Promise<Duplex>): Send {
  return async (url, { method, body, signal }) => {
    const { hostname, port } = new URL(url);
    const connection = await dial?.(hostname, Number(port || 80));
    const through = connection === undefined ? {} : { createConnection: () => connection };
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method, headers, signal, ...through }, (response) => {
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode ?? 0 }))
          .on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  };
}
