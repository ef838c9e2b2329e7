// SPDX-License-Identifier: Apache-2.0
import { connect as tlsConnect } from 'node:tls';
import type { NodeConnector } from './node-connector.ts';
import { dialNode, sendOver, type NodeRequest, type NodeResponse } from './send-over.ts';

/** Where a pod serves HTTP. */
export interface PodEndpoint {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/** Sends a request to a pod; its certificate is not verified, and errors are worded as Go does. */
export async function requestPod(
  nodes: NodeConnector,
  { scheme, ...address }: PodEndpoint,
  request: NodeRequest,
): Promise<NodeResponse> {
  const socket = await dialNode(nodes, address);
  const connection = scheme === 'http' ? socket : tlsConnect({ socket, rejectUnauthorized: false });
  return sendOver(connection, address, request).catch((error: NodeJS.ErrnoException) => {
    throw new Error(problemOf(error), { cause: error });
  });
}

function problemOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (message === 'socket hang up') return 'EOF';
  return code === 'EPROTO' || code.startsWith('ERR_SSL_')
    ? 'tls: first record does not look like a TLS handshake'
    : message;
}
