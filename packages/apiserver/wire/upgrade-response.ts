// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse as HttpResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import { parseResourcePath } from '../request/request-info.ts';

const connections = new Set(['exec', 'attach', 'portforward']);

/** Whether a request is for a connection; any other wish to upgrade is passed over, as HTTP allows. */
export function isUpgradeRequest({ url = '' }: IncomingMessage): boolean {
  const target = parseResourcePath(url.replace(/\?.*$/s, ''));
  return target?.plural === 'pods' && connections.has(target.subresource ?? '');
}

/** The answer to a request that may take its connection over; what comes of it ends with the signal. */
export function upgradeResponse(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  signal: AbortSignal,
): HttpResponse {
  if (head.length > 0) socket.unshift(head);
  addAbortSignal(signal, socket);
  // A caller that is gone ends what it had; there is nobody to tell.
  socket.on('error', () => {});
  // An import of node:http would load a client too, which takes longer than all the rest of a server's start.
  const { ServerResponse } = process.getBuiltinModule('node:http');
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.end());
  return response;
}
