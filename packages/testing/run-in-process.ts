// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { Flags } from '@forge/runtime/process/flag.ts';
import { runOperator, type Operator } from '@forge/runtime/process/run-operator.ts';

const kubeconfig = `
current-context: c
contexts: [{ name: c, context: { cluster: c } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
`;

/** An operator running in the process of the test, on a server with its kinds; without webhooks and open ports. */
export interface OperatorInProcess extends AsyncDisposable {
  client: Client;
  clock: VirtualClock;
  /** Stops the operator; returns its exit code. */
  stop(): Promise<number>;
}

/** Starts the operator with these arguments, on a server with this namespace. */
export async function runInProcess<F extends Flags>(
  operator: Operator<F>,
  { args = [], namespace }: { args?: readonly string[]; namespace: string },
): Promise<OperatorInProcess> {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const transport = inProcessTransport(server);
  const api = client(transport);
  for (const kind of operator.kinds) await api.create(CustomResourceDefinition, crdOf(kind));
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await clock.advance(seconds(1));
  const end = new AbortController();
  const noAddresses = ['metrics', 'health-probe'].map((name) => `--${name}-bind-address=0`);
  const exited = runOperator(operator, {
    args: ['--enable-webhooks=false', ...args, ...noAddresses],
    environment: { KUBECONFIG: '/config' },
    hostname: 'here',
    clock,
    random: seededRandom(),
    readFile: async (path) => (path === '/config' ? kubeconfig : Promise.reject(new Error(`no ${path}`))),
    print: () => {},
    output: { write: () => {}, isTerminal: false },
    connect: () => ({ ...transport, close: async () => {} }),
    usage: () => ({ cpuSeconds: 0, residentBytes: 0, startSeconds: 0 }),
    shutdown: end.signal,
  });
  return {
    client: api,
    clock,
    async stop() {
      end.abort();
      await clock.until(() => exited.then(() => true));
      return exited;
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await server.close();
    },
  };
}
