// SPDX-License-Identifier: Apache-2.0
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { KubeletAddress, NodeConnector } from './node-connector.ts';

/** A request to a node or a pod. */
export interface NodeRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
  signal: AbortSignal | undefined;
}

/** Its response; with a connection when it was upgraded. */
export interface NodeResponse {
  response: IncomingMessage;
  connection?: Duplex;
}

/** Opens a connection; errors are worded as Go does. */
export async function dialNode({ connect }: NodeConnector, { host, port }: KubeletAddress): Promise<Duplex> {
  try {
    return await connect({ host, port });
  } catch (error) {
    throw new Error(`dial tcp ${host}:${port}: ${dialProblem(error as NodeJS.ErrnoException)}`, { cause: error });
  }
}

/** Sends an HTTP request over a connection, which is closed with the response. */
export function sendOver(
  connection: Duplex,
  address: KubeletAddress,
  { signal, body, ...request }: NodeRequest,
): Promise<NodeResponse> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      ...request,
      ...address,
      // Node would send the body of a DELETE without its length.
      headers: { ...request.headers, ...(body && { 'content-length': String(body.length) }) },
      createConnection: () => connection,
      ...(signal && { signal }),
    });
    sent.once('response', (response) => resolve({ response }));
    sent.once('upgrade', (response, upgraded, head) => {
      if (head.length > 0) upgraded.unshift(head);
      resolve({ response, connection: upgraded });
    });
    sent.once('error', (error) => {
      connection.destroy();
      reject(error);
    });
    sent.end(body);
  });
}

const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

function dialProblem({ code = '', message }: NodeJS.ErrnoException): string {
  return problems[code] ?? message;
}
