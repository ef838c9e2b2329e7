// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import type { User } from '@forge/apiserver/request/server-request.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { logger, terminalLine } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock, type VirtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { sleep, type Clock } from '@forge/runtime/time/clock.ts';
import { now, type Duration } from '@forge/runtime/time/duration.ts';
import { startFakeNode, type FakeNodeOptions } from '../../fake-node/fake-node.ts';
import { workloadControllers } from '../controllers.ts';

/** A complete cluster in the test process, on a virtual clock, with a fake node. */
export interface TestCluster extends AsyncDisposable {
  client: Client;
  /** A client with the identity of this user; `before` is awaited before each of its requests, `lag` delays its watches. */
  as(user: User, before?: (request: ApiRequest) => Promise<unknown>, lag?: Lag): Client;
  clock: VirtualClock;
  /** The requests of the controllers so far, without watches. */
  requests: readonly string[];
  /** What the controllers logged as errors. */
  errors: readonly string[];
  /** Stops the node's heartbeats, as if its machine had crashed. */
  stopNode(): Promise<void>;
}

/** The delay of watch events in a collection. */
type Lag = (path: string) => Duration;

/** Options of a test cluster. */
export interface TestClusterOptions extends Pick<FakeNodeOptions, 'behavior'> {
  node?: boolean;
  /** How late the controllers get watch events. Default: not at all. */
  lag?: Lag;
}

/** Starts a cluster that is stopped at the end of the test's scope. */
export async function testCluster({ node = true, lag, behavior }: TestClusterOptions = {}): Promise<TestCluster> {
  await using stack = new AsyncDisposableStack();
  const clock = virtualClock();
  const random = seededRandom();
  const errors: string[] = [];
  const write = (line: string) => {
    errors.push(line);
    console.error(line);
  };
  const log = logger({ clock, level: 'error', write: (entry) => write(terminalLine(entry)) });
  const server = await apiServer({ clock, random });
  stack.defer(() => server.close());
  const transport = inProcessTransport(server);
  const direct = client(transport);

  const requests: string[] = [];
  const observed = client(observedTransport(transport, { lag, clock, requests }));
  const running = manager({ client: observed, clock, random, log });
  for (const controller of workloadControllers()) running.add(controller);
  await running.start();
  stack.defer(() => running.stop());

  const fakeNode = node
    ? await startFakeNode({ client: direct, clock, random, log, ...(behavior && { behavior }) })
    : undefined;
  const stopNode = async () => fakeNode?.stop();
  stack.defer(stopNode);
  const owned = stack.move();
  return {
    client: direct,
    as: (user, before, userLag) =>
      client(delayedBy(before, lagging(inProcessTransport(server, user), { lag: userLag, clock }))),
    clock,
    requests,
    errors,
    stopNode,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The transport, whose requests wait for this; watches do not. */
function delayedBy(before: ((request: ApiRequest) => Promise<unknown>) | undefined, transport: Transport): Transport {
  if (before === undefined) return transport;
  return {
    async request(request) {
      await before(request);
      return await transport.request(request);
    },
    stream: (request) => transport.stream(request),
  };
}

/** The transport, with requests recorded and watch events delayed. */
function observedTransport(
  transport: Transport,
  { requests, ...lagged }: { lag: Lag | undefined; clock: Clock; requests: string[] },
): Transport {
  const late = lagging(transport, lagged);
  return {
    async request(request) {
      requests.push(`${request.method} ${request.path}`);
      return await late.request(request);
    },
    stream: (request) => late.stream(request),
  };
}

/** The transport, with watch events delayed. */
function lagging(transport: Transport, { lag = () => now, clock }: { lag: Lag | undefined; clock: Clock }): Transport {
  async function* delayed(events: AsyncIterable<unknown>, by: Duration): AsyncGenerator {
    for await (const event of events) {
      if (by > now) await sleep(clock, by);
      yield event;
    }
  }
  return {
    request: (request) => transport.request(request),
    stream: async (request) => delayed(await transport.stream(request), lag(request.path)),
  };
}
