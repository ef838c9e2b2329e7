// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse as HttpResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import { parseResourcePath } from '../messages/request-info.ts';

const connections = new Set(['exec', 'attach', 'portforward']);

/** Whether a request may be upgraded; other Upgrade headers are ignored, as HTTP allows. */
export function isUpgradeRequest({ url = '' }: IncomingMessage): boolean {
  const target = parseResourcePath(url.replace(/\?.*$/s, ''));
  const { plural, subresource = '' } = target ?? {};
  return plural === 'services' ? subresource === 'proxy' : plural === 'pods' && connections.has(subresource);
}

/** A response for a request that may be upgraded; the connection is closed when the signal aborts. */
export function upgradeResponse(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  signal: AbortSignal,
): HttpResponse {
  if (head.length > 0) socket.unshift(head);
  addAbortSignal(signal, socket);
  // A client that disconnects ends the connection; there is nothing to report.
  socket.on('error', () => {});
  // Importing node:http would also load its client, which takes longer than the rest of the start.
  const { ServerResponse } = process.getBuiltinModule('node:http');
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.end());
  return response;
}
