// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { KubeletAddress, NodeConnector } from './node-connector.ts';

interface KubeletRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
}

/** A kubelet's response; with a connection when it was upgraded. */
interface KubeletResponse {
  response: IncomingMessage;
  connection?: Duplex;
}

/** Sends a request to a kubelet; errors are worded as Go does. */
export async function requestKubelet(
  { connect, tls }: NodeConnector,
  address: KubeletAddress,
  { signal, ...request }: KubeletRequest,
): Promise<KubeletResponse> {
  const socket = await connect(address).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`dial tcp ${address.host}:${address.port}: ${dialProblem(error)}`, { cause: error });
  });
  const secure = tlsConnect({ socket, host: address.host, ...tls, rejectUnauthorized: tls.ca !== undefined });
  return new Promise((resolve, reject) => {
    const sent = httpsRequest({
      ...request,
      host: address.host,
      port: address.port,
      createConnection: () => secure,
      ...(signal && { signal }),
    });
    sent.once('response', (response) => resolve({ response }));
    sent.once('upgrade', (response, connection, head) => {
      if (head.length > 0) connection.unshift(head);
      resolve({ response, connection });
    });
    sent.once('error', (error) => {
      secure.destroy();
      reject(error);
    });
    sent.end();
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
