// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeSockets } from '@forge/cluster/node/network/pipe-sockets.ts';
import { CliError } from '../terminal/cli-error.ts';

/** The ports of one data folder: chosen once, so that URLs in the catalog and in kubeconfigs stay valid. */
export interface Ports {
  apiServer: number;
  keystone: number;
}

/** Reads the saved ports, or chooses free ones and saves them. */
export async function loadOrChoosePorts(file: string): Promise<Ports> {
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Ports;
  // Opened at the same time, so that they differ.
  const [a, b] = await Promise.all([listen(createServer(), 0), listen(createServer(), 0)]);
  const ports = { apiServer: portOf(a), keystone: portOf(b) };
  await Promise.all([a, b].map((server) => closed(server)));
  await writeFile(file, `${JSON.stringify(ports)}\n`, { mode: 0o600 });
  return ports;
}

/** Forwards connections on a loopback port to those that `dial` opens. */
export async function forwardLoopback(port: number, dial: () => Promise<Duplex>): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    pipeTo(socket, dial).catch(() => socket.destroy());
  });
  await listen(server, port);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await closed(server);
    },
  };
}

async function pipeTo(socket: Socket, dial: () => Promise<Duplex>): Promise<void> {
  const remote = await dial();
  if (socket.destroyed) remote.destroy();
  else pipeSockets(socket, remote);
}

async function listen(server: Server, port: number): Promise<Server> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CliError(`Port ${port} of this data folder is in use by another program. Stop that program.`, undefined, {
      cause: error,
    });
  }
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
