// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { pipeSockets, reset } from './pipe-sockets.ts';
import { proxyTable, type Backend } from './proxy-table.ts';

interface Listener {
  server: Server;
  backends: readonly Backend[];
  next: number;
}

/** Forwards Service addresses to ready endpoints, round robin; without any, connections are refused immediately. */
export function serviceProxy(limits: ConnectionLimits, log: (problem: string) => void) {
  const listeners = new Map<string, Listener>();
  let updates = Promise.resolve();

  function accept(listener: Listener, client: Socket): void {
    if (!limits.admit(client)) return;
    const backend = listener.backends[listener.next++ % listener.backends.length];
    if (!backend) return reset(client);
    pipeSockets(client, connect({ ...backend, allowHalfOpen: true }));
  }

  async function open(address: string, backends: readonly Backend[]): Promise<void> {
    const [host = '', port = ''] = address.split(':');
    const listener: Listener = {
      server: createServer({ allowHalfOpen: true }, (client) => accept(listener, client)),
      backends,
      next: 0,
    };
    listeners.set(address, listener);
    await once(listener.server.listen(Number(port), host), 'listening');
  }

  async function apply(table: ReadonlyMap<string, readonly Backend[]>): Promise<void> {
    for (const [address, { server }] of listeners) {
      if (table.has(address)) continue;
      listeners.delete(address);
      // Open connections are kept, as with kube-proxy.
      server.close();
    }
    for (const [address, backends] of table) {
      const listener = listeners.get(address);
      if (listener) listener.backends = backends;
      else
        await open(address, backends).catch((error: Error) => {
          listeners.delete(address);
          log(`Service address ${address} cannot be served: ${error.message}`);
        });
    }
  }

  return {
    /** Replaces the served Services; resolves when every address is listening. */
    update(services: readonly Service[], slices: readonly EndpointSlice[]): Promise<void> {
      updates = updates.then(() => apply(proxyTable(services, slices)));
      return updates;
    },
  };
}
