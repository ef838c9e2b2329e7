// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { Answer, Exchange, Script, Suite } from './exchange.ts';
import { jwt } from './jwts.ts';
import { at, authentication, exchangesOn, login } from './single-suite.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(exchangesOn) as [Make, Make, Make, Make];
type Make = ReturnType<typeof exchangesOn>;

const root = { token: 'root' };
const raft = 'sys/storage/raft';

/** The roles in the answer of a Raft configuration, as `a voter`. */
function rolesIn({ body }: Answer): string {
  const data = isObject(body) && isObject(body['data']) ? body['data'] : {};
  const config = isObject(data['config']) ? data['config'] : {};
  const servers = (config['servers'] ?? []) as { node_id: string; voter?: boolean }[];
  return servers
    .map(({ node_id: id, voter }) => `${id}${voter ? '+' : '-'}`)
    .toSorted()
    .join(' ');
}

/** Whether no server of a Raft configuration leads. */
const isLeaderless = ({ status, body }: Answer) => status === 200 && !JSON.stringify(body).includes('"leader":true');

/** The Raft configuration once the servers have these roles: `+` votes, `-` does not. */
const configured = (on: Make, shows: string, roles: string): Exchange =>
  on(shows, 'GET', `${raft}/configuration`, { ...root, until: (answer) => rolesIn(answer) === roles });

/** The state of autopilot once its servers have these roles and are healthy. */
const autopilot = (on: Make, shows: string, wanted: { voters: number; healthy: boolean }): Exchange =>
  on(shows, 'GET', `${raft}/autopilot/state`, {
    ...root,
    until({ body }) {
      const data = isObject(body) && isObject(body['data']) ? body['data'] : {};
      const servers = Object.values(isObject(data['servers']) ? data['servers'] : {}) as {
        node_type: string;
        status: string;
      }[];
      return (
        (data['voters'] as unknown[] | undefined)?.length === wanted.voters &&
        data['healthy'] === wanted.healthy &&
        servers.every(({ node_type, status }) => status === 'leader' || status === node_type)
      );
    },
  });

const health = (on: Make, shows: string, code: number): Exchange =>
  on(shows, 'GET', 'sys/health', { until: ({ status }) => status === code });

const change = (on: Make, shows: string, does: string, id: string): Exchange =>
  on(shows, 'POST', `${raft}/${does}`, { ...root, body: { server_id: id } });

const joins: Script = [
  { does: 'start', on: 'a' },
  health(a, 'the first server is uninitialised', 501),
  { does: 'start', on: 'b' },
  health(b, 'a server that finds nobody to join is uninitialised', 501),
  a('the first server is initialised', 'PUT', 'sys/init', {
    body: { recovery_shares: 1, recovery_threshold: 1 },
    remember: { root: (body) => at(body, 'root_token') },
  }),
  health(a, 'the first server is active', 200),
  health(b, 'a server that has joined is a standby', 429),
  b('a standby can answer 200', 'GET', 'sys/health?standbyok=true'),
  b('the code of a standby can be chosen', 'GET', 'sys/health?standbycode=299'),
  b('perfstandbyok changes nothing', 'GET', 'sys/health?perfstandbyok=true'),
  b('a standby knows its leader', 'GET', 'sys/leader', {
    until: ({ body }) => isObject(body) && body['leader_address'] !== undefined,
  }),
  b('a standby has the seal status of its cluster', 'GET', 'sys/seal-status'),
  { does: 'start', on: 'c' },
  health(c, 'a third server joins', 429),
  configured(a, 'autopilot makes them voters', 'a+ b+ c+'),
  autopilot(a, 'autopilot knows three voters', { voters: 3, healthy: true }),
  autopilot(b, 'a standby forwards to the leader', { voters: 3, healthy: true }),
  configured(b, 'a standby has a copy of the configuration', 'a+ b+ c+'),
  b('a standby refuses without a token', 'GET', `${raft}/configuration`),
  b('a joined server joins nobody else', 'PUT', `${raft}/join`, { body: { leader_api_addr: 'https://127.0.0.1:1' } }),
];

const green: Script = [
  { does: 'start', on: 'd' },
  health(d, 'a non-voter joins', 429),
  configured(a, 'it does not vote', 'a+ b+ c+ d-'),
  autopilot(a, 'autopilot leaves it so', { voters: 3, healthy: true }),
  change(a, 'a non-voter is promoted', 'promote', 'd'),
  configured(a, 'it votes', 'a+ b+ c+ d+'),
  change(b, 'a standby forwards a promotion', 'promote', 'd'),
  change(b, 'a standby forwards a demotion', 'demote', 'd'),
  configured(a, 'it does not vote any more', 'a+ b+ c+ d-'),
  change(a, 'a non-voter is not demoted', 'demote', 'd'),
  change(a, 'it is removed', 'remove-peer', 'd'),
  configured(a, 'it is gone from the configuration', 'a+ b+ c+'),
  d('a removed server is not told', 'GET', 'sys/health'),
  d('it still names its leader', 'GET', 'sys/leader'),
  d('it reads its own copy, without itself and soon without a leader', 'GET', `${raft}/configuration`, {
    ...root,
    until: (answer) => rolesIn(answer) === 'a+ b+ c+' && isLeaderless(answer),
  }),
  { does: 'stop', on: 'd' },
  { does: 'wipe', on: 'd' },
  { does: 'start', on: 'd' },
  health(d, 'with an empty disk it joins again', 429),
  configured(a, 'it is a non-voter again', 'a+ b+ c+ d-'),
  { does: 'stop', on: 'd' },
  change(a, 'it is removed for good', 'remove-peer', 'd'),
];

/** What becomes of a standby that is sent a snapshot. */
function unrestored(name: string, path: string): Script {
  const on = exchangesOn(name);
  return [
    on(`a standby accepts ${path}`, 'POST', `${raft}/${path}`, {
      ...root,
      body: (memory) => memory.get('snapshot') as Uint8Array,
    }),
    health(on, `${path} has sealed it`, 503),
    a(`${path} has restored nothing`, 'GET', 'sys/policies/acl/newer', root),
    { does: 'kill', on: name },
    { does: 'start', on: name },
    health(on, `a restart unseals it after ${path}`, 429),
  ];
}

const standbys: Script = [
  ...authentication('a'),
  login('a', 'the leader logs in', 'upgrade', jwt, {
    remember: { upgrade: (body) => at(body, 'auth', 'client_token') },
  }),
  b('a standby knows the token', 'GET', 'auth/token/lookup-self', {
    token: 'upgrade',
    until: ({ status }) => status === 200,
  }),
  b('a standby saves a snapshot', 'GET', `${raft}/snapshot`, {
    ...root,
    until: ({ status }) => status === 200,
    remember: { snapshot: (body) => body as Uint8Array },
  }),
  a('a policy is newer than the snapshot', 'PUT', 'sys/policies/acl/newer', {
    ...root,
    body: { policy: 'path "a" { capabilities = ["read"] }' },
  }),
  ...unrestored('b', 'snapshot-force'),
  ...unrestored('c', 'snapshot'),
  change(a, 'the leader is demoted', 'demote', 'a'),
  configured(a, 'as long as it leads it votes', 'a+ b+ c+'),
  change(a, 'the leader is promoted', 'promote', 'a'),
];

const hasLeader = ({ body }: Answer) => isObject(body) && body['leader_address'] !== undefined;

const elections: Script = [
  { does: 'stop', on: 'c' },
  health(a, 'two of three are a quorum', 200),
  b('a standby steps its leader down', 'PUT', 'sys/step-down', { token: 'upgrade' }),
  health(b, 'the other one leads', 200),
  a('the former leader follows', 'GET', 'sys/leader', {
    until: ({ body }) => isObject(body) && hasLeader({ body } as Answer) && body['is_self'] !== true,
  }),
  { does: 'kill', on: 'b' },
  a('without a quorum nobody leads', 'GET', `${raft}/configuration`, { ...root, until: isLeaderless }),
  a('a standby goes on to name the dead leader', 'GET', 'sys/leader'),
  health(a, 'a server without a quorum is a standby', 429),
  a('it cannot be stepped down', 'PUT', 'sys/step-down', root),
  a('it knows no state of autopilot', 'GET', `${raft}/autopilot/state`, root),
  change(a, 'it promotes nobody', 'promote', 'b'),
  { does: 'start', on: 'b' },
  a('with a quorum it works again', 'POST', `${raft}/remove-peer`, {
    ...root,
    body: { server_id: 'nobody' },
    until: ({ status }) => status === 204,
  }),
];

/** Three servers and a fourth that does not vote. */
export const raftSuite: Suite = {
  servers: {
    a: { retryJoin: [], nonVoter: false },
    b: { retryJoin: ['a'], nonVoter: false },
    c: { retryJoin: ['b', 'a'], nonVoter: false },
    d: { retryJoin: ['b'], nonVoter: true },
  },
  script: [...joins, ...green, ...standbys, ...elections],
};
