// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { webSocketAccept } from './server-web-socket.ts';

/** A rejected upgrade of a connection. */
export class UpgradeRejectedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The supported protocols per kind of connection, best first. */
interface SupportedProtocols {
  webSocket: readonly string[];
  spdy: readonly string[];
}

/** Negotiates a protocol and upgrades the connection; throws {@link UpgradeRejectedError} when there is none. */
export function upgradeConnection(
  { headers }: IncomingMessage,
  connection: Duplex,
  supported: SupportedProtocols,
): keyof SupportedProtocols {
  const kind = kinds.find(({ upgrade }) => upgrade.toLowerCase() === headers.upgrade?.toLowerCase());
  if (kind === undefined) throw new UpgradeRejectedError(400, `unsupported upgrade: ${headers.upgrade}`);
  const { name, upgrade, header } = kind;
  const offered = String(headers[header] ?? '').split(/\s*,\s*/);
  const protocol = supported[name].find((each) => offered.includes(each));
  if (protocol === undefined) {
    throw new UpgradeRejectedError(
      403,
      `none of ${offered.join(', ')} is supported; use ${supported[name].join(', ')}`,
    );
  }
  const key = headers['sec-websocket-key'];
  if (name === 'webSocket' && key === undefined) throw new UpgradeRejectedError(400, 'mismatch challenge/response');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    `Upgrade: ${upgrade}`,
    ...(key === undefined ? [] : [`Sec-WebSocket-Accept: ${webSocketAccept(key)}`]),
    `${header}: ${protocol}`,
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  return name;
}

const kinds = [
  { name: 'webSocket', upgrade: 'websocket', header: 'sec-websocket-protocol' },
  { name: 'spdy', upgrade: 'SPDY/3.1', header: 'x-stream-protocol-version' },
] as const;
