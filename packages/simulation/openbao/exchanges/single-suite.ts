// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { Exchange, Script, Suite } from './exchange.ts';
import { audience, foreignJwt, jwt, jwtConfig, subject } from './jwts.ts';

/** The value at this path of a JSON body. */
export function at(body: unknown, ...path: string[]): string {
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), body);
  if (typeof found !== 'string') throw new Error(`no ${path.join('.')} in ${JSON.stringify(body)}`);
  return found;
}

type Rest = Partial<Omit<Exchange, 'shows' | 'on' | 'method' | 'path'>>;

/** Exchanges with one server. */
export function exchangesOn(on: string) {
  return (shows: string, method: Exchange['method'], path: string, rest: Rest = {}): Exchange => ({
    shows,
    on,
    method,
    path,
    ...rest,
  });
}

const a = exchangesOn('a');
const root = { token: 'root' };
const raft = 'sys/storage/raft';

const uninitialised: Script = [
  { does: 'start', on: 'a' },
  a('an uninitialised server is 501', 'GET', 'sys/health', { until: ({ status }) => status === 501 }),
  a('its code can be chosen', 'GET', 'sys/health?uninitcode=299'),
  a('it says that it is not initialised', 'GET', 'sys/init'),
  a('it has a seal status', 'GET', 'sys/seal-status'),
  a('it has no leader', 'GET', 'sys/leader'),
  a('it has no Raft configuration', 'GET', `${raft}/configuration`, { token: 'none' }),
  a('it knows no login', 'POST', 'auth/jwt/login', { body: { role: 'upgrade', jwt: 'x' } }),
  a('it cannot be stepped down', 'PUT', 'sys/step-down', { token: 'none' }),
  a('key shares do not fit its seal', 'PUT', 'sys/init', { body: { secret_shares: 1, secret_threshold: 1 } }),
];

const initialised: Script = [
  a('its initialisation returns the root token', 'PUT', 'sys/init', {
    body: {},
    remember: { root: (body) => at(body, 'root_token') },
  }),
  a('it is initialised once', 'PUT', 'sys/init', { body: {} }),
  a('it says that it is initialised', 'GET', 'sys/init'),
  a('an active server is 200', 'GET', 'sys/health', { until: ({ status }) => status === 200 }),
  a('HEAD has no body', 'HEAD', 'sys/health'),
  a('the code of an active server can be chosen', 'GET', 'sys/health?activecode=299'),
  a('a code must be a number', 'GET', 'sys/health?activecode=x'),
  a('its health cannot be posted', 'POST', 'sys/health', { body: {} }),
  a('an unsealed server has another seal status', 'GET', 'sys/seal-status'),
  a('it leads itself', 'GET', 'sys/leader', { until: ({ body }) => isObject(body) && body['is_self'] === true }),
];

const tokens: Script = [
  a('without a token nothing is read', 'GET', `${raft}/configuration`),
  a('nor with a token that does not exist', 'GET', `${raft}/configuration`, { token: 's.none' }),
  a('an unknown path is refused without a token', 'GET', 'no/such'),
  a('an unknown path is not found', 'GET', 'no/such', root),
  a('the root token looks itself up', 'GET', 'auth/token/lookup-self', root),
  a('one that does not exist cannot', 'GET', 'auth/token/lookup-self', { token: 's.none' }),
];

const raftOfOne: Script = [
  a('its Raft configuration is itself', 'GET', `${raft}/configuration`, root),
  a('the configuration cannot be written', 'POST', `${raft}/configuration`, { ...root, body: {} }),
  a('autopilot knows it', 'GET', `${raft}/autopilot/state`, {
    ...root,
    until: ({ body }) => isObject(body) && isObject(body['data']) && body['data']['healthy'] === true,
  }),
  a('autopilot has a configuration', 'GET', `${raft}/autopilot/configuration`, root),
  a('it can be changed', 'POST', `${raft}/autopilot/configuration`, { ...root, body: { max_trailing_logs: 500 } }),
  a('servers may be dead early', 'POST', `${raft}/autopilot/configuration`, {
    ...root,
    body: { dead_server_last_contact_threshold: '10s' },
  }),
  a('but are not cleaned up before a minute', 'POST', `${raft}/autopilot/configuration`, {
    ...root,
    body: { cleanup_dead_servers: true, min_quorum: 3, dead_server_last_contact_threshold: '10s' },
  }),
  a('cleaning up needs a quorum', 'POST', `${raft}/autopilot/configuration`, {
    ...root,
    body: { cleanup_dead_servers: true, min_quorum: 2 },
  }),
  ...['promote', 'demote', 'remove-peer'].flatMap((does) => [
    a(`${does} needs an id`, 'POST', `${raft}/${does}`, { ...root, body: {} }),
    a(`${does} of an unknown id`, 'POST', `${raft}/${does}`, { ...root, body: { server_id: 'nobody' } }),
  ]),
  a('a voter is not promoted', 'POST', `${raft}/promote`, { ...root, body: { server_id: 'a' } }),
  a('an initialised server joins nobody', 'PUT', `${raft}/join`, { body: { leader_api_addr: 'https://127.0.0.1:1' } }),
];

const upgradePolicy = `path "sys/step-down" { capabilities = ["sudo", "update"] }
path "${raft}/configuration" { capabilities = ["read"] }
path "${raft}/autopilot/*" { capabilities = ["read"] }
path "${raft}/promote" { capabilities = ["update"] }
path "${raft}/demote" { capabilities = ["update"] }
path "${raft}/remove-peer" { capabilities = ["update"] }`;

const roleOf = (policy: string) => ({
  role_type: 'jwt',
  user_claim: 'sub',
  bound_audiences: [audience],
  bound_subject: subject,
  token_policies: [policy],
  token_ttl: '1h',
});

const seconds = () => Math.floor(Date.now() / 1000);

/** Sets up policies and JWT logins, with the root token; `unconfigured` is run while JWT authentication is enabled only. */
export const authentication = (on: string, unconfigured: Script = []): Script => {
  const here = exchangesOn(on);
  const write = (shows: string, path: string, body: Exchange['body'] & object) =>
    here(shows, 'POST', path, { ...root, body });
  return [
    write('a policy is written', 'sys/policies/acl/upgrade', { policy: upgradePolicy }),
    write('a second policy is written', 'sys/policies/acl/backup', {
      policy: `path "${raft}/snapshot" { capabilities = ["read"] }`,
    }),
    write('a third policy is written', 'sys/policies/acl/half', {
      policy: 'path "sys/step-down" { capabilities = ["update"] }',
    }),
    write('JWT authentication is enabled', 'sys/auth/jwt', { type: 'jwt' }),
    ...unconfigured,
    write('it is configured', 'auth/jwt/config', jwtConfig),
    ...['upgrade', 'backup', 'half'].map((name) =>
      write(`the role ${name} is written`, `auth/jwt/role/${name}`, roleOf(name)),
    ),
  ];
};

/** A login with this role and JWT. */
export function login(
  on: string,
  shows: string,
  role: string,
  token: (now: number) => string,
  rest: Rest = {},
): Exchange {
  return exchangesOn(on)(shows, 'POST', 'auth/jwt/login', { body: () => ({ role, jwt: token(seconds()) }), ...rest });
}

const remembered = (name: string) => ({ remember: { [name]: (body: unknown) => at(body, 'auth', 'client_token') } });

/** What somebody reads before setting up logins. */
const unmounted: Script = [
  a('the auth mounts are listed', 'GET', 'sys/auth', root),
  a('JWT authentication that is not enabled has no configuration', 'GET', 'auth/jwt/config', root),
  a('nor roles', 'GET', 'auth/jwt/role/upgrade', root),
  a('the root token may do everything', 'POST', 'sys/capabilities-self', {
    ...root,
    body: { paths: ['sys/auth/jwt', 'auth/jwt/config'] },
  }),
  a('a token that does not exist has no capabilities', 'POST', 'sys/capabilities-self', {
    token: 's.none',
    body: { paths: ['sys/auth/jwt'] },
  }),
];

const unconfigured: Script = [
  a('JWT authentication that is enabled has no configuration', 'GET', 'auth/jwt/config', root),
  a('it has no roles either', 'GET', 'auth/jwt/role/upgrade', root),
  a('a JWT cannot log in yet', 'POST', 'auth/jwt/login', { body: { role: 'upgrade', jwt: 'x.y.z' } }),
];

const configured: Script = [
  a('JWT authentication is among the auth mounts', 'GET', 'sys/auth', root),
  a('its configuration is read', 'GET', 'auth/jwt/config', root),
  a('a role is read', 'GET', 'auth/jwt/role/upgrade', root),
  a('a role that does not exist is not found', 'GET', 'auth/jwt/role/none', root),
];

const logins: Script = [
  ...unmounted,
  ...authentication('a', unconfigured),
  ...configured,
  a('a policy needs a text', 'POST', 'sys/policies/acl/empty', { ...root, body: {} }),
  a('a policy is read', 'GET', 'sys/policies/acl/backup', root),
  a('a policy that does not exist is not found', 'GET', 'sys/policies/acl/none', root),
  a('JWT authentication is enabled once', 'POST', 'sys/auth/jwt', { ...root, body: { type: 'jwt' } }),
  login('a', 'a JWT of the ServiceAccount logs in', 'upgrade', jwt, remembered('upgrade')),
  login('a', 'a JWT logs in for backups', 'backup', jwt, remembered('backup')),
  login('a', 'a JWT logs in without sudo', 'half', jwt, remembered('half')),
  login('a', 'an unknown role does not', 'none', jwt),
  a('nor one without a role', 'POST', 'auth/jwt/login', { body: { jwt: 'x.y.z' } }),
  login('a', 'nor another subject', 'upgrade', (now) => jwt(now, { sub: 'system:serviceaccount:ops:other' })),
  login('a', 'nor another audience', 'upgrade', (now) => jwt(now, { aud: ['other'] })),
  login('a', 'nor another issuer', 'upgrade', (now) => jwt(now, { iss: 'https://other' })),
  login('a', 'nor an expired one', 'upgrade', (now) => jwt(now, { exp: now - 1000 })),
  login('a', 'nor one of another key', 'upgrade', foreignJwt),
  login('a', 'nor what is no JWT', 'upgrade', () => 'x'),
];

const capabilities: Script = [
  a('the policy allows to read the configuration', 'GET', `${raft}/configuration`, { token: 'upgrade' }),
  a('a path with a wildcard is allowed', 'GET', `${raft}/autopilot/configuration`, { token: 'upgrade' }),
  a('reading does not allow to write', 'POST', `${raft}/autopilot/configuration`, { token: 'upgrade', body: {} }),
  a('another policy does not allow to read it', 'GET', `${raft}/configuration`, { token: 'backup' }),
  a('nor to save a snapshot', 'GET', `${raft}/snapshot`, { token: 'upgrade' }),
  a('nor to remove peers', 'POST', `${raft}/remove-peer`, { token: 'backup', body: { server_id: 'nobody' } }),
  a('nor to write policies', 'POST', 'sys/policies/acl/more', { token: 'upgrade', body: { policy: '' } }),
  a('stepping down needs sudo', 'PUT', 'sys/step-down', { token: 'half' }),
  a('a token of a login looks itself up', 'GET', 'auth/token/lookup-self', { token: 'backup' }),
  a('it learns what it may do', 'POST', 'sys/capabilities-self', {
    token: 'upgrade',
    body: { paths: ['sys/step-down', `${raft}/remove-peer`, `${raft}/snapshot`, 'auth/token/lookup-self'] },
  }),
  a('and of one path', 'POST', 'sys/capabilities-self', { token: 'backup', body: { paths: [`${raft}/snapshot`] } }),
  a('it reads no auth mounts', 'GET', 'sys/auth', { token: 'backup' }),
  a('nor roles of others', 'GET', 'auth/jwt/role/upgrade', { token: 'backup' }),
];

const snapshots: Script = [
  a('a snapshot is a stream', 'GET', `${raft}/snapshot`, {
    token: 'backup',
    remember: { snapshot: (body) => body as Uint8Array },
  }),
  a('a restore needs more than reading', 'POST', `${raft}/snapshot`, {
    token: 'backup',
    body: () => new Uint8Array(9),
  }),
  a('what is no snapshot is not restored', 'POST', `${raft}/snapshot`, { ...root, body: () => new Uint8Array(9) }),
  a('nor is half of one', 'POST', `${raft}/snapshot`, {
    ...root,
    body: (memory) => (memory.get('snapshot') as Uint8Array).slice(0, 20_000),
  }),
  a('a policy comes after the snapshot', 'POST', 'sys/policies/acl/later', {
    ...root,
    body: { policy: upgradePolicy },
  }),
  a('a snapshot is restored', 'POST', `${raft}/snapshot`, {
    ...root,
    body: (memory) => memory.get('snapshot') as Uint8Array,
  }),
  a('the server is active again', 'GET', 'sys/health', { until: ({ status }) => status === 200 }),
  a('what came later is gone', 'GET', 'sys/policies/acl/later', {
    ...root,
    until: ({ status }) => status === 404,
  }),
];

const ends: Script = [
  a('a token revokes itself', 'PUT', 'auth/token/revoke-self', { token: 'half' }),
  a('it is of no use then', 'GET', 'auth/token/lookup-self', { token: 'half' }),
  a('the only server steps down', 'PUT', 'sys/step-down', { token: 'upgrade' }),
  a('it leads again', 'GET', 'sys/health', { until: ({ status }) => status === 200 }),
  { does: 'stop', on: 'a' },
  { does: 'start', on: 'a' },
  a('a restarted server is active again', 'GET', 'sys/health', { until: ({ status }) => status === 200 }),
  a('its tokens last', 'GET', `${raft}/configuration`, { token: 'upgrade' }),
  a('it can be sealed', 'PUT', 'sys/seal', root),
  a('a sealed server is 503', 'GET', 'sys/health', { until: ({ status }) => status === 503 }),
  a('the code of a sealed server can be chosen', 'GET', 'sys/health?sealedcode=299'),
  a('a sealed server has a seal status', 'GET', 'sys/seal-status'),
  a('a sealed server names no leader', 'GET', 'sys/leader'),
  a('a sealed server reads nothing', 'GET', `${raft}/configuration`, root),
  a('a sealed server logs nobody in', 'POST', 'auth/jwt/login', { body: { role: 'upgrade', jwt: 'x' } }),
  a('a sealed server does not step down', 'PUT', 'sys/step-down', root),
  a('a sealed server is not initialised again', 'PUT', 'sys/init', { body: {} }),
  { does: 'stop', on: 'a' },
  { does: 'start', on: 'a', sealKey: 'x' },
  a('with another key it stays sealed', 'GET', 'sys/health', { until: ({ status }) => status === 503 }),
  { does: 'stop', on: 'a' },
  { does: 'start', on: 'a', sealKey: 'k' },
  a('with its own it is active again', 'GET', 'sys/health', { until: ({ status }) => status === 200 }),
];

/** One server, from its first start on. */
export const singleSuite: Suite = {
  servers: { a: { retryJoin: [], nonVoter: false } },
  script: [
    ...uninitialised,
    ...initialised,
    ...tokens,
    ...raftOfOne,
    ...logins,
    ...capabilities,
    ...snapshots,
    ...ends,
  ],
};
