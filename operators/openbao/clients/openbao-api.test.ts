// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { brokenOff, playedServer, type Answer } from '../test/played-server.ts';
import { openbaoApi } from './openbao-api.ts';
import type { OpenBaoServer } from './openbao-call.ts';
import { OpenBaoError, type OpenBaoFailure } from './openbao-error.ts';
import type { OpenBaoActions, OpenBaoReader } from './openbao-services.ts';

const { signal } = new AbortController();
const token = new SecretValue('s.secret-token');
const jwt = new SecretValue('header.payload.signature');
const api = openbaoApi((trust) => httpClient({ clock: systemClock, ...trust }));

/** What a call returns, and what the server received. */
async function exchanged<T>(answers: Readonly<Record<string, Answer>>, call: (server: OpenBaoServer) => Promise<T>) {
  await using played = await playedServer(answers);
  return { result: await call(played.server), received: played.received };
}

async function failureOf(answers: Readonly<Record<string, Answer>>, call: (server: OpenBaoServer) => Promise<unknown>) {
  await using played = await playedServer(answers);
  const error: unknown = await call(played.server).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OpenBaoError, inspect(error));
  return error;
}

/** Every call that needs more than a server. */
const calls: Readonly<
  Record<string, (all: OpenBaoReader & OpenBaoActions, server: OpenBaoServer) => Promise<unknown>>
> = {
  'GET sys/health': (all, server) => all.health(server, signal),
  'GET sys/leader': (all, server) => all.leader(server, signal),
  'GET sys/storage/raft/configuration': (all, server) => all.raftServers(server, token, signal),
  'GET sys/storage/raft/autopilot/state': (all, server) => all.autopilot(server, token, signal),
  'GET sys/storage/raft/snapshot': (all, server) => all.snapshot(server, token, signal),
  'PUT sys/init': (all, server) => all.initialize(server, signal),
  'POST auth/jwt/login': (all, server) => all.logIn(server, { role: 'r', jwt }, signal),
  'PUT sys/step-down': (all, server) => all.stepDown(server, token, signal),
  'PUT sys/storage/raft/join': (all, server) => all.join(server, { leader: server, asVoter: false }, signal),
  'POST sys/storage/raft/promote': (all, server) => all.promote(server, token, 'demo-1', signal),
  'POST sys/storage/raft/demote': (all, server) => all.demote(server, token, 'demo-1', signal),
  'POST sys/storage/raft/remove-peer': (all, server) => all.removePeer(server, token, 'demo-1', signal),
};

const readLeader = (body: object) =>
  exchanged({ 'GET sys/leader': [200, body] }, (server) => api.leader(server, signal));

describe('the client of OpenBao reads', () => {
  const states = [
    [200, { initialized: true, sealed: false, standby: false, version: '2.7.2' }],
    [429, { initialized: true, sealed: false, standby: true, version: '2.7.2' }],
    [472, { initialized: true, sealed: false, standby: true, version: '2.7.2' }],
    [501, { initialized: false, sealed: true, standby: true, version: '2.7.2' }],
    [503, { initialized: true, sealed: true, standby: true, version: '2.7.2' }],
  ] as const;
  for (const [status, health] of states) {
    test(`the health of a server, also with status ${status}`, async () => {
      const { result } = await exchanged({ 'GET sys/health': [status, { ...health, cluster_id: 'x' }] }, (server) =>
        api.health(server, signal),
      );
      assert.deepEqual(result, health);
    });
  }

  test('who leads and how far a server is; what is zero or false is left out of the answer', async () => {
    const answer = {
      ha_enabled: true,
      leader_address: 'https://a:8200',
      raft_committed_index: 42,
      raft_applied_index: 41,
    };
    const follower = { isSelf: false, address: 'https://a:8200', committedIndex: 42, appliedIndex: 41 };
    assert.deepEqual((await readLeader(answer)).result, follower);
    assert.deepEqual((await readLeader({ ...answer, is_self: true })).result, { ...follower, isSelf: true });
    assert.deepEqual((await readLeader({})).result, { isSelf: false, address: '', committedIndex: 0, appliedIndex: 0 });
  });

  test('the members of the cluster, with a token', async () => {
    const servers = [
      { node_id: 'demo-0', address: 'demo-0.demo:8201', leader: true, voter: true, protocol_version: '3' },
      { node_id: 'demo-1', address: 'demo-1.demo:8201', leader: false, voter: false, protocol_version: '3' },
    ];
    const path = 'GET sys/storage/raft/configuration';
    const answer: Answer = [200, { request_id: 'x', data: { config: { index: 0, servers } } }];
    const { result, received } = await exchanged({ [path]: answer }, (server) =>
      api.raftServers(server, token, signal),
    );
    assert.deepEqual(result, [
      { id: 'demo-0', address: 'demo-0.demo:8201', isLeader: true, isVoter: true },
      { id: 'demo-1', address: 'demo-1.demo:8201', isLeader: false, isVoter: false },
    ]);
    assert.equal(received[0]?.token, 's.secret-token');
  });

  test('what the leader observes of them, or that it has observed nothing', async () => {
    const path = 'GET sys/storage/raft/autopilot/state';
    const server = {
      id: 'demo-0',
      address: 'a:8201',
      healthy: true,
      status: 'leader',
      last_index: 7,
      version: '2.7.2',
      last_contact: '0s',
    };
    const data = {
      healthy: true,
      failure_tolerance: 1,
      leader: 'demo-0',
      voters: ['demo-0'],
      non_voters: null,
      servers: { 'demo-0': server },
    };
    const read = (answer: Answer) => exchanged({ [path]: answer }, (at) => api.autopilot(at, token, signal));
    assert.deepEqual((await read([200, { data }])).result, {
      isHealthy: true,
      failureTolerance: 1,
      leader: 'demo-0',
      voters: ['demo-0'],
      nonVoters: [],
      servers: [{ id: 'demo-0', address: 'a:8201', isHealthy: true, status: 'leader', lastIndex: 7, version: '2.7.2' }],
    });
    const { result } = await read([200, { data: { ...data, non_voters: ['demo-1'] } }]);
    assert.deepEqual(result?.nonVoters, ['demo-1']);
    assert.equal((await read([404, { errors: [] }])).result, undefined);
    const refused = await failureOf({ [path]: [400, { errors: ['no'] }] }, (at) => api.autopilot(at, token, signal));
    assert.equal(refused.status, 400);
  });

  test('a snapshot as it comes, also one that is larger than other answers may be', async () => {
    for (const bytes of ['bytes', 'x'.repeat(2 * 1024 * 1024)]) {
      const { result } = await exchanged({ 'GET sys/storage/raft/snapshot': [200, bytes] }, async (server) =>
        Buffer.concat(await Array.fromAsync(await api.snapshot(server, token, signal))).toString(),
      );
      assert.ok(result === bytes, `${result.length} of ${bytes.length} bytes`);
    }
  });
});

describe('the client of OpenBao acts', () => {
  test('by initialising a cluster, whose root token nothing prints', async () => {
    const answer: Answer = [200, { keys: [], keys_base64: [], root_token: 's.root' }];
    const { result, received } = await exchanged({ 'PUT sys/init': answer }, (server) =>
      api.initialize(server, signal),
    );
    assert.deepEqual(received[0]?.body, {});
    assert.equal(result?.rootToken.reveal(), 's.root');
    assert.doesNotMatch(inspect(result) + JSON.stringify(result), /s\.root/);
  });

  test('never by taking a cluster that is initialised for a new one', async () => {
    for (const text of ['Vault is already initialized', 'OpenBao is already initialized']) {
      const { result } = await exchanged({ 'PUT sys/init': [400, { errors: [text] }] }, (server) =>
        api.initialize(server, signal),
      );
      assert.equal(result, undefined);
    }
    // The store may be initialised then, and the token lost: that is no success, and not "already initialised".
    const broken: Answer = [400, { errors: ['failed to create new audit device: permission denied'] }];
    const error = await failureOf({ 'PUT sys/init': broken }, (server) => api.initialize(server, signal));
    assert.equal(error.failure, 'refused');
    for (const answer of [{}, { root_token: '' }]) {
      const silent = await failureOf({ 'PUT sys/init': [200, answer] }, (server) => api.initialize(server, signal));
      assert.match(silent.message, /the answer has no root token/);
    }
  });

  test('by logging in', async () => {
    const auth = { client_token: 's.new', lease_duration: 3600, renewable: true };
    const { result, received } = await exchanged({ 'POST auth/jwt/login': [200, { auth }] }, (server) =>
      api.logIn(server, { role: 'upgrade', jwt }, signal),
    );
    assert.deepEqual(received[0]?.body, { role: 'upgrade', jwt: jwt.reveal() });
    assert.deepEqual([result.token.reveal(), result.leaseSeconds, result.isRenewable], ['s.new', 3600, true]);
    assert.doesNotMatch(inspect(result), /s\.new/);
    for (const answer of [{}, { auth: null }, { auth: { lease_duration: 3600 } }]) {
      const error = await failureOf({ 'POST auth/jwt/login': [200, answer] }, (server) =>
        api.logIn(server, { role: 'upgrade', jwt }, signal),
      );
      assert.match(error.message, /the answer has no token/);
    }
  });

  test('by stepping down, promoting, demoting and removing', async () => {
    const paths = [
      'PUT sys/step-down',
      'POST sys/storage/raft/promote',
      'POST sys/storage/raft/demote',
      'POST sys/storage/raft/remove-peer',
    ];
    for (const path of paths) {
      const { received } = await exchanged(
        { [path]: [204] },
        (server) => calls[path]?.(api, server) ?? Promise.reject(),
      );
      const body = path === 'PUT sys/step-down' ? undefined : { server_id: 'demo-1' };
      assert.deepEqual(received, [{ asked: path, token: 's.secret-token', marked: true, body }]);
    }
  });

  test('by joining, with what the other server must prove', async () => {
    const leader = { url: 'https://blue:8200', ca: 'PEM', serverName: 'blue.local' };
    const { received } = await exchanged({ 'PUT sys/storage/raft/join': [200, { joined: true }] }, (server) =>
      api.join(server, { leader, asVoter: false }, signal),
    );
    assert.deepEqual(received[0]?.body, {
      leader_api_addr: 'https://blue:8200',
      leader_ca_cert: 'PEM',
      leader_tls_servername: 'blue.local',
      retry: true,
      non_voter: true,
    });
  });
});

const readSnapshot = async (server: OpenBaoServer) => Array.fromAsync(await api.snapshot(server, token, signal));
const wrapped = (text: string) => `1 error occurred:\n\t* ${text}\n\n`;

describe('a call without a result', () => {
  const cases: readonly (readonly [OpenBaoFailure, number, string])[] = [
    ['sealed', 503, 'Vault is sealed'],
    ['sealed', 500, wrapped('OpenBao is sealed')],
    ['uninitialised', 503, 'Vault is not initialized'],
    ['uninitialised', 500, wrapped('the server is uninitialized')],
    ['standby', 307, ''],
    ['standby', 500, 'local node not active but active cluster node not found'],
    ['standby', 503, 'no active node found'],
    ['denied', 403, wrapped('permission denied')],
    ['refused', 500, wrapped('server is not a non-voter')],
    ['refused', 400, 'role "x" could not be found'],
    ['refused', 405, ''],
  ];
  for (const [failure, status, text] of cases) {
    test(`is ${failure}: ${status} ${JSON.stringify(text)}`, async () => {
      const path = 'POST sys/storage/raft/promote';
      const error = await failureOf({ [path]: [status, text === '' ? undefined : { errors: [text] }] }, (server) =>
        api.promote(server, token, 'demo-1', signal),
      );
      assert.equal(error.failure, failure);
      assert.equal(error.status, status);
      assert.match(
        error.message,
        /^POST https:\/\/127\.0\.0\.1:\d+\/v1\/sys\/storage\/raft\/promote: OpenBao answered \d+/,
      );
      assert.doesNotMatch(error.message, /\n|occurred/);
      assert.ok(error.mentions(text.replace(/^1 error occurred:\n\t\* /, '').trim()));
    });
  }

  test('says what the server said, without the secret that was sent and that it repeats', async () => {
    const sent: Readonly<Record<string, SecretValue>> = { 'POST auth/jwt/login': jwt, 'PUT sys/step-down': token };
    for (const [path, secret] of Object.entries(sent)) {
      const errors = [`${secret.reveal()} is wrong`];
      const error = await failureOf(
        { [path]: [400, { errors }] },
        (server) => calls[path]?.(api, server) ?? Promise.reject(),
      );
      assert.match(error.message, /OpenBao answered 400: \[redacted\] is wrong$/);
      assert.ok(!inspect(error).includes(secret.reveal()));
    }
  });

  test('is one of a marked request, which a proxy in front of a server lets pass', async () => {
    for (const [path, call] of Object.entries(calls)) {
      await using played = await playedServer({ [path]: [500, { errors: [] }] });
      await assert.rejects(call(api, played.server), OpenBaoError);
      assert.deepEqual(
        played.received.map(({ asked, marked }) => [asked, marked]),
        [[path, true]],
      );
    }
  });

  test('is unreachable when nobody listens, or somebody with another certificate', async () => {
    const closed = await playedServer({});
    await closed[Symbol.asyncDispose]();
    await using other = await playedServer({ 'GET sys/health': [200, {}] });
    const { ca: _, ...untrusted } = other.server;
    for (const server of [closed.server, untrusted, { ...other.server, serverName: 'another.local' }]) {
      const error = await api.health(server, signal).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof OpenBaoError, inspect(error));
      assert.equal(error.failure, 'unreachable');
    }
    assert.deepEqual(other.received, []);
  });

  test('is unreachable when a snapshot breaks off, and refused when its error is no JSON', async () => {
    for (const status of [200, 500]) {
      const broken = await failureOf({ 'GET sys/storage/raft/snapshot': [status, brokenOff] }, readSnapshot);
      assert.deepEqual([broken.failure, broken.cause instanceof HttpError], ['unreachable', true]);
    }
    const garbled = await failureOf({ 'GET sys/storage/raft/snapshot': [500, '{"errors":['] }, readSnapshot);
    assert.deepEqual([garbled.failure, garbled.status], ['refused', 500]);
  });

  test('is refused when the answer is not that of OpenBao', async () => {
    const error = await failureOf({ 'GET sys/leader': [200, 'hello'] }, (server) => api.leader(server, signal));
    assert.deepEqual([error.failure, error.mentions('the answer is no JSON object')], ['refused', true]);
    for (const answer of [[502, 'bad gateway'] as const, [200, { initialized: true }] as const]) {
      const silent = await failureOf({ 'GET sys/health': answer }, (at) => api.health(at, signal));
      assert.equal(silent.failure, 'refused');
    }
  });

  const deadlines: Readonly<Record<string, number>> = { 'PUT sys/init': 30, 'GET sys/storage/raft/snapshot': 1800 };
  for (const [path, call] of Object.entries(calls)) {
    test(`ends by its deadline: ${path}`, async () => {
      const clock = virtualClock();
      await using played = await playedServer({});
      const timed = openbaoApi((trust) => httpClient({ clock, ...trust }));
      let ended = false;
      const result = call(timed, played.server).then(
        () => undefined,
        (error: unknown) => error,
      );
      void result.then(() => (ended = true));
      while (played.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const limit = deadlines[path] ?? 10;
      await clock.advance(seconds(limit - 1));
      assert.equal(ended, false);
      await clock.advance(seconds(2));
      const error = await result;
      assert.ok(error instanceof OpenBaoError && error.failure === 'unreachable', inspect(error));
    });
  }

  test('throws what its caller aborted it with', async () => {
    await using played = await playedServer({});
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(api.health(played.server, stopped), (error) => !(error instanceof OpenBaoError));
  });
});
