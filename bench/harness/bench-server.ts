// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer, type ApiServerOptions } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';

/** An API server in this process, with a client. */
export interface BenchServer {
  server: ApiServer;
  api: Client;
}

/** Starts a server for a benchmark. */
export async function benchServer(options: Partial<ApiServerOptions> = {}): Promise<BenchServer> {
  const server = await apiServer({ clock: virtualClock(), random: seededRandom(), ...options });
  return { server, api: client(inProcessTransport(server)) };
}
