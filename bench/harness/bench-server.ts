// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer, type ApiServerOptions } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { threadTime } from '@forge/testing/longest-block.ts';

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

/** Milliseconds of CPU time until a server in this process is ready. */
export async function startOne(): Promise<number> {
  const begin = threadTime();
  const { server } = await benchServer();
  const time = threadTime() - begin;
  await server.close();
  return time;
}
