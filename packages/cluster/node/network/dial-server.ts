// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCodeHeader } from './dial.ts';
import { clusterDomain, type DnsZone } from './dns-zone.ts';
import { pipeSockets } from './pipe-sockets.ts';

/** Delays before further attempts, in milliseconds: a Service forwards to a pod a moment after it became ready. */
const retryDelays: readonly number[] = [50, 100, 200, 400];

/** Serves HTTP CONNECT on a Unix socket, giving access to the cluster's names and addresses by TCP. */
export async function serveDial(socketPath: string, zone: () => DnsZone, signal: AbortSignal): Promise<void> {
  const server = createServer();
  server.on('connect', ({ url = '' }, client: Duplex, head: Buffer) => {
    // The client may disconnect at any time; a write would then raise an unhandled error.
    client.on('error', () => client.destroy());
    if (head.length > 0) client.unshift(head);
    const colon = url.lastIndexOf(':');
    const [host, port] = [url.slice(0, colon), Number(url.slice(colon + 1))];
    const address = isIP(host) === 0 ? addressesOf(host.toLowerCase().replace(/\.$/, ''), zone())?.[0] : host;
    if (address === undefined) {
      return refuse(client, 'ENOTFOUND', `${host} is not a name in the cluster, or has no ready pod`);
    }
    // Only for names: an address is that of a pod, which is reached without forwarding.
    const delays = isIP(host) === 0 ? retryDelays.values() : [].values();
    const attempt = () => {
      const target = connect({ host: address, port, allowHalfOpen: true });
      const abort = () => target.destroy();
      const fail = (error: NodeJS.ErrnoException) => {
        client.off('close', abort);
        const delay = error.code === 'ECONNREFUSED' ? delays.next().value : undefined;
        if (delay !== undefined && !client.destroyed) return void setTimeout(attempt, delay);
        refuse(client, error.code ?? 'EIO', `${url} cannot be reached: ${error.message}`);
      };
      target.once('error', fail);
      client.once('close', abort);
      target.once('connect', () => {
        target.off('error', fail);
        client.off('close', abort);
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        pipeSockets(client, target);
      });
    };
    attempt();
  });
  signal.addEventListener('abort', () => server.close());
  // The socket file of a killed node would prevent listening.
  await rm(socketPath, { force: true });
  await once(server.listen(socketPath), 'listening');
}

/** The addresses of a name, which may omit the cluster's domain, as in a pod. */
function addressesOf(name: string, zone: DnsZone): readonly string[] | undefined {
  return zone.addressesOf(name) ?? zone.addressesOf(`${name}.${clusterDomain}`);
}

function refuse(client: Duplex, code: string, why: string): void {
  client.end(`HTTP/1.1 502 ${why.replaceAll(/[^ -~]/g, ' ')}\r\n${errorCodeHeader}: ${code}\r\n\r\n`);
}
