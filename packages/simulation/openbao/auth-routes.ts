// SPDX-License-Identifier: Apache-2.0
import { createVerify } from 'node:crypto';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { errors, logical, noContent, type FakeAnswer } from './answers.ts';
import type { Network } from './fake-openbao.ts';
import { stateOf, type Server } from './server.ts';
import type { JwtRole, ReplicatedState, Token } from './state.ts';

/** `auth/jwt/login`; the leader keeps the token. */
export function login(server: Server, body: JsonObject, network: Network): FakeAnswer {
  const { raft, clock, random } = network;
  const leader = raft.leaderOf(server);
  const { jwt } = stateOf(server);
  const name = body['role'];
  if (leader === undefined) return errors(500, 'local node not active but active cluster node not found');
  if (jwt?.config === undefined) return errors(400, 'could not load configuration');
  if (typeof name !== 'string' || name === '') return errors(400, 'missing role');
  const role = jwt.roles[name];
  if (role === undefined) return errors(400, `role "${name}" could not be found`);
  const checked = checkedClaims(typeof body['jwt'] === 'string' ? body['jwt'] : '', jwt.config, role, clock.now());
  if (typeof checked === 'string') return errors(400, `error validating token: ${checked}`);
  const policies = ['default', ...(role.token_policies ?? [])].toSorted();
  const token: Token = {
    accessor: random.uuid(),
    entityId: random.uuid(),
    policies,
    displayName: `jwt-${checked.sub}`,
    path: 'auth/jwt/login',
    meta: { role: name },
    createdAt: clock.now(),
    ttl: secondsOf(role.token_ttl),
  };
  const clientToken = `s.${Buffer.from(random.bytes(18)).toString('base64url')}`;
  raft.commit(leader, (state) => (state.tokens[clientToken] = token));
  return logical(random, {
    auth: {
      client_token: clientToken,
      accessor: token.accessor,
      policies,
      token_policies: policies,
      metadata: token.meta,
      lease_duration: token.ttl,
      renewable: true,
      entity_id: token.entityId,
      token_type: 'service',
      orphan: true,
      mfa_requirement: null,
      num_uses: 0,
    },
  });
}

/** `auth/token/lookup-self`. */
export function lookUp(id: string, token: Token, { random, clock }: Network): FakeAnswer {
  const isRoot = token.ttl === 0;
  const expiry = token.createdAt + token.ttl * 1000;
  return logical(random, {
    data: {
      accessor: token.accessor,
      creation_time: Math.floor(token.createdAt / 1000),
      creation_ttl: token.ttl,
      display_name: token.displayName,
      entity_id: token.entityId,
      expire_time: isRoot ? null : new Date(expiry).toISOString(),
      explicit_max_ttl: 0,
      id,
      ...(!isRoot && { issue_time: new Date(token.createdAt).toISOString() }),
      meta: token.meta,
      num_uses: 0,
      orphan: true,
      path: token.path,
      policies: token.policies,
      ...(!isRoot && { renewable: true }),
      ttl: isRoot ? 0 : Math.floor((expiry - clock.now()) / 1000),
      type: 'service',
    },
  });
}

/** The token, unless it is unknown or has expired. */
export function tokenIn({ tokens }: ReplicatedState, id: string | undefined, now: number): Token | undefined {
  const token = id === undefined ? undefined : tokens[id];
  return token === undefined || (token.ttl > 0 && now >= token.createdAt + token.ttl * 1000) ? undefined : token;
}

/** Writes to the mounts and policies of authentication; undefined when the path is none of them. */
export function writeAuth(
  leader: Server,
  path: string,
  body: JsonObject,
  { raft, clock }: Network,
): FakeAnswer | undefined {
  const [, policy] = /^sys\/policies\/acl\/([^/]+)$/.exec(path) ?? [];
  const [, role] = /^auth\/jwt\/role\/([^/]+)$/.exec(path) ?? [];
  const state = stateOf(leader);
  if (policy !== undefined) {
    const text = body['policy'];
    if (typeof text !== 'string' || text === '') return errors(400, "'policy' parameter not supplied or empty");
    const version = (state.policies[policy]?.version ?? 0) + 1;
    raft.commit(leader, ({ policies }) => (policies[policy] = { text, version, modifiedAt: clock.now() }));
    return noContent;
  }
  if (path === 'sys/auth/jwt') {
    if (state.jwt !== undefined) return errors(400, 'path is already in use at jwt/');
    raft.commit(leader, (each) => (each.jwt = { roles: {} }));
    return noContent;
  }
  if (state.jwt === undefined || (path !== 'auth/jwt/config' && role === undefined)) return undefined;
  raft.commit(leader, ({ jwt }) => {
    if (jwt === undefined) return;
    if (role === undefined) jwt.config = body;
    else jwt.roles[role] = body;
  });
  return noContent;
}

/** `sys/policies/acl/{name}`. */
export function readPolicy(server: Server, name: string, { random }: Network): FakeAnswer {
  const policy = stateOf(server).policies[name];
  if (policy === undefined) return errors(404);
  return logical(random, {
    data: {
      name,
      policy: policy.text,
      version: policy.version,
      modified: new Date(policy.modifiedAt).toISOString(),
      cas_required: false,
      allow_slashes_in_identity_templates: false,
      allow_wildcards_in_identity_templates: false,
    },
  });
}

interface Claims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
}

type JwtConfig = NonNullable<NonNullable<ReplicatedState['jwt']>['config']>;

/** The claims of a valid JWT; or why it is not valid, in the server's words. */
function checkedClaims(jwt: string, config: JwtConfig, role: JwtRole, now: number): Claims | string {
  const parts = jwt.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  const unverified = 'error verifying token signature: ';
  if (parts.length !== 3) return `${unverified}go-jose/go-jose: compact JWS format must have three parts`;
  const isSigned = config.jwt_validation_pubkeys?.some((key) =>
    createVerify('RSA-SHA256').update(`${header}.${payload}`).verify(key, signature, 'base64url'),
  );
  if (isSigned !== true) return `${unverified}no known key successfully validated the token signature`;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  if (config.bound_issuer !== undefined && claims.iss !== config.bound_issuer) return 'invalid issuer (iss) claim';
  if (now / 1000 > (claims.exp ?? Infinity)) return 'invalid expiration time (exp) claim: token is expired';
  const audiences = [claims.aud ?? []].flat();
  if (role.bound_audiences?.some((each) => audiences.includes(each)) === false) {
    return 'invalid audience (aud) claim: audience claim does not match any expected audience';
  }
  if (role.bound_subject !== undefined && claims.sub !== role.bound_subject) return 'invalid subject (sub) claim';
  return claims;
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** The lifetime of tokens whose role gives none: 768 hours. */
const defaultTtl = 2_764_800;

/** A duration in seconds; without one, that of tokens whose role gives none. */
export function secondsOf(ttl: string | number | undefined): number {
  if (typeof ttl === 'number') return ttl;
  const [, count, unit = 's'] = /^(\d+)([smhd])?$/.exec(ttl ?? '') ?? [];
  return count === undefined ? defaultTtl : Number(count) * (secondsPerUnit[unit] ?? 1);
}
