// SPDX-License-Identifier: Apache-2.0
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Send } from '@forge/keystone/clients/keystone-api.ts';

/** Sends plain HTTP requests to addresses that only the cluster's own network knows. */
export function clusterHttp(dial: (host: string, port: number) => Promise<Duplex>): Send {
  return async (url, { method, body, signal }) => {
    const { hostname, port } = new URL(url);
    const connection = await dial(hostname, Number(port || 80));
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method, headers, signal, createConnection: () => connection }, (response) => {
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode ?? 0 }))
          .on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  };
}
