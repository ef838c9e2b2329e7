// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { apiServer } from '@forge/apiserver/api-server.ts';
import type { User } from '@forge/apiserver/messages/server-request.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { startFakeNode, type FakeNodeOptions } from '@forge/cluster/fake-node/fake-node.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger, terminalLine, type LogEntry, type Logger } from '@forge/runtime/observability/logger.ts';
import { testConnection, type TestConnection } from './test-connection.ts';

/** A cluster in the test process, on a virtual clock: an API server, workload controllers and a fake node. */
export interface TestCluster extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** The log of what is tested. */
  readonly log: Logger;
  readonly logged: LogEntry[];
  /** An administrator, whose connection always works. */
  readonly client: Client;
  /** The connection of what is tested. */
  readonly connection: TestConnection;
  /** The requests of the workload controllers so far, without watches, and the errors that they logged. */
  readonly controllers: { readonly requests: readonly string[]; readonly errors: readonly string[] };
  /**
   * A client with the identity of this user; `before` is awaited before each of its requests, `lag` delays its watches.
   */
  as(user: User, before?: (request: ApiRequest) => Promise<unknown>, lag?: Lag): Client;
  /** Stops the node's heartbeats, as if its machine had crashed. */
  stopNode(): Promise<void>;
}

/** The delay of watch events in a collection. */
type Lag = (path: string) => Duration;

/** Options of a test cluster. */
interface TestClusterOptions extends Pick<FakeNodeOptions, 'behavior'> {
  /** Whether there are workload controllers. Default: true. */
  controllers?: boolean;
  /** Whether there is a fake node. Default: where there are controllers. */
  node?: boolean;
  /** The delay of the controllers' watch events. Default: none. */
  lag?: Lag;
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Starts a cluster that is stopped at the end of the test's scope. */
export async function testCluster({
  controllers = true,
  node = controllers,
  lag,
  behavior,
}: TestClusterOptions = {}): Promise<TestCluster> {
  await using stack = new AsyncDisposableStack();
  const [clock, random] = [virtualClock(), seededRandom()];
  const server = await apiServer({ clock, random, serviceAccounts: { signingKey } });
  stack.defer(() => server.close());
  const transport = inProcessTransport(server);
  const direct = client(transport);

  const [requests, errors]: [string[], string[]] = [[], []];
  const write = (entry: LogEntry) => {
    const line = terminalLine(entry);
    errors.push(line);
    console.error(line);
  };
  const clusterLog = logger({ clock, level: 'error', write });
  if (controllers) {
    const record = async ({ method, path }: ApiRequest) => requests.push(`${method} ${path}`);
    const recorded = client(delayed(transport, { before: record, lag, clock }));
    const running = manager({ client: recorded, clock, random, log: clusterLog });
    for (const controller of workloadControllers()) running.add(controller);
    await running.start();
    stack.defer(() => running.stop());
  }
  const fakeNode = node
    ? await startFakeNode({ client: direct, clock, random, log: clusterLog, ...(behavior && { behavior }) })
    : undefined;
  const stopNode = async () => fakeNode?.stop();
  stack.defer(stopNode);

  const logged: LogEntry[] = [];
  const owned = stack.move();
  return {
    clock,
    random,
    log: logger({ clock, level: 'debug', write: (entry) => logged.push(entry) }),
    logged,
    client: direct,
    connection: testConnection(transport),
    controllers: { requests, errors },
    as: (user, before, userLag) => client(delayed(inProcessTransport(server, user), { before, lag: userLag, clock })),
    stopNode,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Delays {
  before: ((request: ApiRequest) => Promise<unknown>) | undefined;
  lag: Lag | undefined;
  clock: Clock;
}

/** The transport, with `before` awaited before each request, except watches, and watch events delayed. */
function delayed(transport: Transport, { before, lag = () => now, clock }: Delays): Transport {
  async function* late(events: AsyncIterable<unknown>, by: Duration): AsyncGenerator {
    for await (const event of events) {
      if (by > now) await sleep(clock, by);
      yield event;
    }
  }
  return {
    async request(request) {
      await before?.(request);
      return await transport.request(request);
    },
    stream: async (request) => late(await transport.stream(request), lag(request.path)),
  };
}
