// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { HttpRequest } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { isAllowed } from './acl.ts';
import { errors, json, logical, noContent, redirection, wrappedError, type FakeAnswer } from './answers.ts';
import { capabilitiesOf, readAuth } from './auth-reads.ts';
import { login, lookUp, readPolicy, tokenIn, writeAuth } from './auth-routes.ts';
import type { Network } from './fake-openbao.ts';
import {
  autopilotState,
  changePeer,
  configuration,
  configureAutopilot,
  join,
  misdirectedSnapshot,
  restoreSnapshot,
  saveSnapshot,
} from './raft-routes.ts';
import { isInitialised, stateOf, type Server } from './server.ts';
import { health, leader, sealStatus } from './status-routes.ts';

const raft = 'sys/storage/raft/';
const sealed = errors(503, 'Vault is sealed');

/** A request whose path and body are parsed. */
interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'other';
  readonly path: string;
  readonly url: URL;
  readonly body: JsonObject;
  readonly bytes: Uint8Array;
  readonly token: string | undefined;
}

/** The answer of a server that runs. */
export async function answerOf(server: Server, request: HttpRequest, network: Network): Promise<FakeAnswer> {
  const call = callOf(request);
  const answer =
    (await openAnswer(server, call, network)) ?? (server.isUnsealed ? guarded(server, call, network) : sealed);
  return request.method === 'HEAD' ? { ...answer, body: Buffer.alloc(0) } : answer;
}

function callOf({ method, url: text, headers = {}, body = '' }: HttpRequest): Call {
  const url = new URL(text);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : '');
  const token = headers['x-vault-token'] ?? headers['X-Vault-Token'];
  const methods: Readonly<Record<string, Call['method']>> = {
    GET: 'GET',
    HEAD: 'GET',
    PUT: 'POST',
    POST: 'POST',
    DELETE: 'DELETE',
  };
  return {
    method: methods[method] ?? 'other',
    path: url.pathname.replace(/^\/v1\//, ''),
    url,
    body: parsed(bytes),
    bytes,
    token: token instanceof SecretValue ? token.reveal() : token,
  };
}

function parsed(bytes: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The answers that need no token; undefined for all others. */
async function openAnswer(server: Server, call: Call, network: Network): Promise<FakeAnswer | undefined> {
  const { method, path, body } = call;
  switch (path) {
    case 'sys/health':
      return method === 'GET' ? health(server, call.url.searchParams, network) : errors(405);
    case 'sys/seal-status':
      return sealStatus(server);
    case 'sys/leader':
      return server.isUnsealed ? leader(server) : sealed;
    case 'sys/init':
      return method === 'GET'
        ? json(200, { initialized: isInitialised(server) })
        : await initialised(server, body, network);
    case `${raft}join`:
      return join(server, body, network);
    case 'auth/jwt/login':
      return server.isUnsealed ? login(server, body, network) : sealed;
    default:
      return undefined;
  }
}

/** `sys/init`: the root token is in this reply and nowhere else. */
async function initialised(server: Server, body: JsonObject, network: Network): Promise<FakeAnswer> {
  if (isInitialised(server)) return errors(400, 'Vault is already initialized');
  if (body['secret_shares'] !== undefined || body['secret_threshold'] !== undefined) {
    const type = server.options.sealType ?? 'static';
    return errors(400, `parameters secret_shares,secret_threshold not applicable to seal type ${type}`);
  }
  const { random } = network;
  const recovery = { shares: Number(body['recovery_shares'] ?? 0), threshold: Number(body['recovery_threshold'] ?? 0) };
  const rootToken = `s.${Buffer.from(random.bytes(18)).toString('base64url')}`;
  await network.initialise(server, recovery, rootToken);
  const keys = Array.from({ length: recovery.shares }, () => Buffer.from(random.bytes(32)));
  return json(200, {
    keys: [],
    keys_base64: [],
    ...(keys.length > 0 && {
      recovery_keys: keys.map((key) => key.toString('hex')),
      recovery_keys_base64: keys.map((key) => key.toString('base64')),
    }),
    root_token: rootToken,
  });
}

/** What a standby answers from its own copy; it forwards everything else to the leader. */
const local = /^(sys\/storage\/raft\/(configuration|snapshot)|auth\/token\/lookup-self|sys\/policies\/acl\/[^/]+)$/;

/** What a standby neither forwards nor does. */
const restores = /^sys\/storage\/raft\/snapshot(-force)?$/;

/** Paths that need `sudo` besides the capability of the method. */
const sudoPaths = new Set(['sys/step-down', 'sys/seal', 'sys/auth/jwt']);

/** The answers that need a token with a policy for them. */
function guarded(server: Server, call: Call, network: Network): FakeAnswer {
  const { method, path, token: id = '' } = call;
  const state = stateOf(server);
  const token = tokenIn(state, id, network.clock.now());
  if (token === undefined) return errors(403, 'permission denied');
  const needed = method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'update';
  const wanted = sudoPaths.has(path) ? [needed, 'sudo'] : [needed];
  if (!isAllowed(token.policies, (name) => state.policies[name]?.text, path, wanted)) {
    return wrappedError(403, 'permission denied');
  }
  if (path === 'auth/token/lookup-self') return lookUp(id, token, network);
  if (path === 'sys/capabilities-self') return capabilitiesOf(server, token, call.body, network);
  if (path === 'sys/seal') {
    network.seal(server);
    return noContent;
  }
  if (method === 'POST' && restores.test(path) && !server.leads)
    return misdirectedSnapshot(server, call.bytes, network);
  const active = method === 'GET' && local.test(path) ? server : network.raft.leaderOf(server);
  if (active !== undefined)
    return (method === 'GET' ? read(active, call, network) : write(active, call, network)) ?? unknown(path);
  if (server.namedLeader === undefined) return errors(500, 'local node not active but active cluster node not found');
  return redirection(`${server.namedLeader.api}/v1/${path}`);
}

function unknown(path: string): FakeAnswer {
  return errors(404, `no handler for route "${path}". route entry not found.`);
}

function read(server: Server, { path }: Call, network: Network): FakeAnswer | undefined {
  const [, policy] = /^sys\/policies\/acl\/([^/]+)$/.exec(path) ?? [];
  if (policy !== undefined) return readPolicy(server, policy, network);
  switch (path) {
    case `${raft}configuration`:
      return configuration(server, network);
    case `${raft}snapshot`:
      return saveSnapshot(server);
    case `${raft}autopilot/state`:
      return autopilotState(server, network);
    case `${raft}autopilot/configuration`:
      return logical(network.random, { data: stateOf(server).autopilot });
    default:
      return readAuth(server, path, network);
  }
}

function write(active: Server, { path, body, bytes, token = '' }: Call, network: Network): FakeAnswer | undefined {
  switch (path) {
    case 'sys/step-down':
      network.raft.stepDown(active);
      return noContent;
    case 'auth/token/revoke-self':
      network.raft.commit(active, ({ tokens }) => delete tokens[token]);
      return noContent;
    case `${raft}configuration`:
      return wrappedError(405, 'unsupported operation');
    case `${raft}snapshot`:
    case `${raft}snapshot-force`:
      return restoreSnapshot(active, bytes, network);
    case `${raft}autopilot/configuration`:
      return configureAutopilot(active, body, network);
    case `${raft}promote`:
    case `${raft}demote`:
    case `${raft}remove-peer`:
      return changePeer(active, path.slice(raft.length), body, network);
    default:
      return writeAuth(active, path, body, network);
  }
}
