// SPDX-License-Identifier: Apache-2.0
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { autopilotStateIn, healthIn, leaderIn, raftServersIn } from './openbao-answers.ts';
import {
  answerOf,
  askedOf,
  connectTo,
  jsonIn,
  refusalOf,
  resultOf,
  wireRequest,
  type OpenBaoRequest,
  type OpenBaoServer,
  type OpenBaoTransport,
} from './openbao-call.ts';
import { OpenBaoError, unanswered } from './openbao-error.ts';
import type { OpenBaoActions, OpenBaoReader } from './openbao-services.ts';
import { tokenCalls, type TokenCall } from './token-calls.ts';

// An election of a single server takes eight seconds.
const initDeadline = seconds(30);
const snapshotDeadline = minutes(30);
const maxSnapshotBytes = 1024 ** 4;

/** A call as the table has it, from which the policies derive. */
const withToken = (call: TokenCall, token: SecretValue) => {
  const { method, path } = tokenCalls[call];
  return { method, path, token };
};

/** The client of OpenBao's API. */
export function openbaoApi(connect: OpenBaoTransport): OpenBaoReader & OpenBaoActions {
  const result = (server: OpenBaoServer, request: OpenBaoRequest, signal: AbortSignal) =>
    resultOf(connect, server, request, signal);
  const raftWrite =
    (call: 'promote' | 'demote' | 'removePeer'): OpenBaoActions['promote'] =>
    async (server, token, id, signal) => {
      await result(server, { ...withToken(call, token), body: { server_id: id } }, signal);
    };

  return {
    async health(server, signal) {
      const request = { method: 'GET', path: 'sys/health' } as const;
      const { status, body } = await answerOf(connect, server, request, signal);
      const health = healthIn(body);
      if (health === undefined) throw refusalOf(server, request, status, body);
      return health;
    },

    leader: async (server, signal) => leaderIn(await result(server, { method: 'GET', path: 'sys/leader' }, signal)),

    raftServers: async (server, token, signal) =>
      raftServersIn(await result(server, withToken('raftServers', token), signal)),

    async autopilot(server, token, signal) {
      try {
        return autopilotStateIn(await result(server, withToken('autopilot', token), signal));
      } catch (error) {
        if (error instanceof OpenBaoError && error.status === 404) return undefined;
        throw error;
      }
    },

    async knowsToken(server, token, signal) {
      try {
        await result(server, withToken('knowsToken', token), signal);
        return true;
      } catch (error) {
        if (error instanceof OpenBaoError && error.failure === 'denied') return false;
        throw error;
      }
    },

    async snapshot(server, token, signal) {
      const request = { ...withToken('snapshot', token), deadline: snapshotDeadline };
      const wire = { ...wireRequest(server, request, signal), maxResponseBytes: maxSnapshotBytes };
      const asked = askedOf(server, request);
      const response = await connectTo(connect, server)
        .stream(wire)
        .catch((error: unknown) => {
          throw unanswered(asked, error);
        });
      const body = received(asked, response.body);
      if (response.status === 200) return body;
      const text = Buffer.concat(await Array.fromAsync(body));
      throw refusalOf(server, request, response.status, jsonIn(text));
    },

    async initialize(server, signal) {
      const request = { method: 'PUT', path: 'sys/init', body: {}, deadline: initDeadline } as const;
      try {
        const { root_token: token } = await result(server, request, signal);
        if (typeof token === 'string' && token !== '') return { rootToken: new SecretValue(token) };
      } catch (error) {
        if (error instanceof OpenBaoError && error.mentions('already initialized')) return undefined;
        throw error;
      }
      throw new OpenBaoError(askedOf(server, request), 'refused', 'the answer has no root token', { status: 200 });
    },

    async logIn(server, { role, jwt }, signal) {
      const body = { role, jwt: jwt.reveal() };
      const request = { method: 'POST', path: 'auth/jwt/login', body, secrets: [jwt] } as const;
      const { auth } = (await result(server, request, signal)) as { auth?: Record<string, unknown> };
      const { client_token: token, lease_duration: lease, renewable } = auth ?? {};
      if (typeof token !== 'string') {
        throw new OpenBaoError(askedOf(server, request), 'refused', 'the answer has no token', { status: 200 });
      }
      return { token: new SecretValue(token), leaseSeconds: Number(lease), isRenewable: renewable === true };
    },

    async stepDown(server, token, signal) {
      await result(server, withToken('stepDown', token), signal);
    },

    async join(server, { leader: { url, ca, serverName }, asVoter }, signal) {
      const body = {
        leader_api_addr: url,
        ...(ca !== undefined && { leader_ca_cert: ca }),
        ...(serverName !== undefined && { leader_tls_servername: serverName }),
        retry: true,
        non_voter: !asVoter,
      };
      await result(server, { method: 'PUT', path: 'sys/storage/raft/join', body }, signal);
    },

    promote: raftWrite('promote'),
    demote: raftWrite('demote'),
    removePeer: raftWrite('removePeer'),
  };
}

/** A body as it arrives; an interrupted one rejects like a call without an answer. */
async function* received(asked: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unanswered(asked, error);
  }
}
