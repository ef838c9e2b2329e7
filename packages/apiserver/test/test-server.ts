// SPDX-License-Identifier: Apache-2.0
import { client, type Client } from '@forge/kube/client/client.ts';
import type { ApiResponse, Transport } from '@forge/kube/client/transport.ts';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { apiServer, type ApiServer, type ApiServerOptions } from '../api-server.ts';
import { inProcessTransport } from '../wire/in-process-transport.ts';

/** An API server in memory, on a virtual clock. */
export interface TestServer {
  server: ApiServer;
  api: Client;
  transport: Transport;
  clock: VirtualClock;
  get: (path: string, query?: Record<string, string>, headers?: Record<string, string>) => Promise<ApiResponse>;
  /** Sends a body and expects an error. */
  refused: (method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown, options?: Sent) => Promise<Status>;
}

interface Sent {
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Starts a test server. */
export async function testServer(
  options: Partial<ApiServerOptions> & { clock?: VirtualClock } = {},
): Promise<TestServer> {
  const { clock = virtualClock() } = options;
  const server = await apiServer({ random: seededRandom(), ...options, clock });
  const transport = inProcessTransport(server);
  return {
    server,
    api: client(transport),
    transport,
    clock,
    get: (path, query = {}, headers = {}) => transport.request({ method: 'GET', path, query, headers }),
    async refused(method, path, body, sent = {}) {
      const { status, body: answer } = await transport.request({ method, path, body, ...sent });
      if (status < 400) throw new Error(`${method} ${path}: expected an error, got ${status}`);
      return answer as Status;
    },
  };
}
