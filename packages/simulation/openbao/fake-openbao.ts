// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';
import { withStreams } from '../process/with-streams.ts';
import { electionDelay, times } from './election-times.ts';
import { raftOf, type Raft } from './raft.ts';
import { answerOf } from './routes.ts';
import { isInitialised, isReplica, newServer, type Server, type ServerOptions } from './server.ts';
import { initialState, type ReplicatedState } from './state.ts';

/** Servers on a network, on one clock. */
export interface FakeOpenBao {
  /** Starts a server; one that runs at this URL is killed. */
  start(options: ServerOptions): Server;
  /** Ends it, after a clean shutdown or not. */
  end(server: Server, how: 'stopped' | 'killed'): void;
  /** Seals it until it is started again. */
  seal(server: Server): void;
  /** The server at this URL; undefined when none runs. */
  at(url: string): Server | undefined;
  readonly raft: Raft;
  /** The servers as a client with this clock reaches them. */
  reachedBy(clock: Clock): HttpClient;
}

/** What the routes use of the network. */
export interface Network {
  readonly clock: Clock;
  readonly random: Random;
  readonly raft: Raft;
  at(url: string): Server | undefined;
  /** Initialises an empty server; resolves once it leads. */
  initialise(server: Server, recovery: ReplicatedState['recovery'], rootToken: string): Promise<void>;
  /** Lets an empty server join the cluster of the server at this URL; false when that is not possible. */
  join(server: Server, url: string, nonVoter: boolean): boolean;
  seal(server: Server): void;
}

/** A network without servers. */
export function fakeOpenBao({ clock, random }: { clock: Clock; random: Random }): FakeOpenBao {
  const servers = new Set<Server>();
  const raft = raftOf(servers, { clock, random });
  const at = (url: string) => [...servers].find(({ options }) => new URL(options.api).host === new URL(url).host);
  const after = (server: Server, delay: number, callback: () => void) =>
    clock.after(delay, () => void (server.isEnded || callback()));

  /** Unseals a store with its own key; a server with another key stays sealed. */
  function unseal(server: Server, loss: 'restarted' | 'initialised'): void {
    const { disk, sealKey } = server.options;
    if (disk.store === undefined || disk.store.sealKey !== sealKey) return;
    server.isUnsealed = true;
    raft.join(server, loss);
    server.options.onChange?.();
  }

  function join(server: Server, url: string, nonVoter: boolean): boolean {
    const asked = at(url);
    const leader = asked !== undefined && isReplica(asked) ? raft.leaderOf(asked) : undefined;
    const { nodeId: id, cluster: address, sealKey } = server.options;
    const store = leader?.options.disk.store;
    // The challenge is sealed with the key of the cluster.
    if (leader === undefined || store === undefined || sealKey !== store.sealKey) return false;
    raft.commit(leader, (state) => {
      const known = state.peers.find((peer) => peer.id === id);
      if (nonVoter && !state.nonVoters.includes(id)) state.nonVoters.push(id);
      state.peers = [...state.peers.filter((peer) => peer.id !== id), { id, address, voter: known?.voter ?? false }];
    });
    server.options.disk.store = { sealKey: store.sealKey, copy: structuredClone(store.copy) };
    server.options.onChange?.();
    after(server, times.unsealRetry, () => unseal(server, 'restarted'));
    return true;
  }

  /** Asks the servers to join in turns until one lets it in. */
  function keepJoining(server: Server): void {
    const { retryJoin = () => [], nonVoter = false } = server.options;
    if (isInitialised(server) || retryJoin().some((url) => join(server, url, nonVoter))) return;
    after(server, times.joinRetry, () => keepJoining(server));
  }

  async function initialise(server: Server, recovery: ReplicatedState['recovery'], rootToken: string): Promise<void> {
    const {
      nodeId: id,
      cluster: address,
      disk,
      sealKey = '',
      clusterName = 'vault',
      performanceMultiplier,
    } = server.options;
    const copy = initialState({ clusterId: random.uuid(), clusterName, recovery, first: { id, address } });
    copy.tokens[rootToken] = {
      accessor: random.uuid(),
      entityId: '',
      policies: ['root'],
      displayName: 'root',
      path: 'auth/token/root',
      meta: null,
      createdAt: clock.now(),
      ttl: 0,
    };
    disk.store = { sealKey, copy };
    await new Promise<void>((resolve) => {
      clock.after(electionDelay('initialised', random, performanceMultiplier), () => resolve());
    });
    server.isUnsealed = !server.isEnded;
    if (!server.isEnded) raft.lead(server);
    server.options.onChange?.();
  }

  function seal(server: Server): void {
    raft.leave(server, 'stopped');
    server.isUnsealed = false;
    server.options.onChange?.();
  }

  function end(server: Server, how: 'stopped' | 'killed'): void {
    server.isEnded = true;
    servers.delete(server);
    if (server.isUnsealed) raft.leave(server, how);
    server.isServing = false;
    server.isUnsealed = false;
    if (how === 'stopped') server.options.onChange?.();
  }

  const network: Network = { clock, random, raft, at, initialise, join, seal };
  return {
    raft,
    at,
    end,
    seal,
    start(options) {
      const former = at(options.api);
      if (former !== undefined) end(former, 'killed');
      const server = newServer(options);
      servers.add(server);
      after(server, times.boot, () => {
        server.isServing = true;
        if (isInitialised(server)) unseal(server, 'restarted');
        else keepJoining(server);
        for (const answer of server.waiting.splice(0)) answer();
        options.onChange?.();
      });
      return server;
    },
    reachedBy: (callers) => withStreams({ send: (request) => sendTo(at(request.url), request, callers, network) }),
  };
}

/** The answer of a server, or the failure of the connection. */
async function sendTo(
  server: Server | undefined,
  request: HttpRequest,
  callers: Clock,
  network: Network,
): ReturnType<HttpClient['send']> {
  const failed = (failure: HttpFailure) =>
    new HttpError(request.method, request.url, failure, new Error('ECONNREFUSED'));
  const { hostname, port } = new URL(request.url);
  if (server === undefined) throw failed({ kind: 'connect-failed', host: hostname, port: Number(port) });
  const { trouble } = server;
  return await new Promise((resolve, reject) => {
    const phase = server.isServing ? 'headers' : 'tls';
    const stop = callers.after(request.deadline, () =>
      reject(failed({ kind: 'timeout', phase, seconds: request.deadline / 1000 })),
    );
    request.signal.addEventListener('abort', () => reject(failed({ kind: 'aborted' })), { once: true });
    const answer = () => {
      void answerOf(server, request, network)
        .then(resolve, reject)
        .finally(() => stop());
    };
    if (!server.isServing) server.waiting.push(answer);
    else if (trouble === undefined) answer();
    else if (trouble !== 'hangs') network.clock.after(trouble.slow, answer);
  });
}
