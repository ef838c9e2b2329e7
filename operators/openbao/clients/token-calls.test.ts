// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { BackupContext } from '../executor/run-backup.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { playedServer } from '../test/played-server.ts';
import { jwtAccessOf } from './jwt-access.ts';
import { openbaoApi } from './openbao-api.ts';
import type { OpenBaoServer } from './openbao-call.ts';
import { capabilitiesOf, callsBy, needOf, policyRuleOf, tokenCalls, type TokenCall } from './token-calls.ts';

const { signal } = new AbortController();
const api = openbaoApi((trust) => httpClient({ clock: systemClock, ...trust }));
const secret = new SecretValue('s.token');

/** Every method of the client, called with a token wherever it takes one. */
const sent: Readonly<Record<keyof typeof api, (server: OpenBaoServer) => Promise<unknown>>> = {
  health: (server) => api.health(server, signal),
  leader: (server) => api.leader(server, signal),
  raftServers: (server) => api.raftServers(server, secret, signal),
  autopilot: (server) => api.autopilot(server, secret, signal),
  knowsToken: (server) => api.knowsToken(server, secret, signal),
  snapshot: (server) => api.snapshot(server, secret, signal),
  initialize: (server) => api.initialize(server, signal),
  logIn: (server) => api.logIn(server, { role: 'r', jwt: secret }, signal),
  stepDown: (server) => api.stepDown(server, secret, signal),
  join: (server) => api.join(server, { leader: server, asVoter: false }, signal),
  promote: (server) => api.promote(server, secret, 'demo-1', signal),
  demote: (server) => api.demote(server, secret, 'demo-1', signal),
  removePeer: (server) => api.removePeer(server, secret, 'demo-1', signal),
};

/** What the client sends for a call, and whether it carries a token. */
async function requestOf(call: (server: OpenBaoServer) => Promise<unknown>) {
  const failed = [500, { errors: [] }] as const;
  await using played = await playedServer(new Proxy({}, { get: () => failed }));
  await call(played.server).catch(() => undefined);
  const [received] = played.received;
  return { asked: received?.asked, hasToken: received?.token !== undefined };
}

const rules = (calls: readonly TokenCall[]) => calls.map(policyRuleOf).toSorted();

/** The rules of a policy. */
const rulesOf = (text: string) => text.trim().split('\n').toSorted();

describe('the calls that need a token', () => {
  test('are exactly those that the client sends with one, as it sends them', async () => {
    const withToken: Record<string, string | undefined> = {};
    for (const [name, call] of Object.entries(sent)) {
      const { asked, hasToken } = await requestOf(call);
      if (hasToken) withToken[name] = asked;
    }
    const listed = Object.entries(tokenCalls).map(([name, { method, path }]) => [name, `${method} ${path}`]);
    assert.deepEqual(withToken, Object.fromEntries(listed));
  });

  test('are allowed to those who make them, and nothing else is', () => {
    const [rolling, blueGreen] = (['RollingUpdate', 'BlueGreen'] as const).map((type) =>
      jwtAccessOf(openbaoFixture({ updateStrategy: { type } })),
    );
    const backups: TokenCall[] = ['snapshot', 'autopilot', 'raftServers'];
    const ofRolling: TokenCall[] = [...backups, 'stepDown', 'removePeer'];
    assert.deepEqual(rulesOf(rolling?.backup.policy.text ?? ''), rules(backups));
    assert.deepEqual(rulesOf(rolling?.upgrade.policy.text ?? ''), rules(ofRolling));
    assert.deepEqual(rulesOf(blueGreen?.upgrade.policy.text ?? ''), rules([...ofRolling, 'promote', 'demote']));
    assert.deepEqual(rulesOf(blueGreen?.backup.policy.text ?? ''), rules(backups));
  });

  test('are allowed to backups wherever their Job makes one', () => {
    const used: Readonly<Record<Extract<keyof BackupContext['openbao'], TokenCall>, true>> = {
      knowsToken: true,
      snapshot: true,
    };
    const allowed = new Set<string>([...callsBy('backup'), 'knowsToken']);
    assert.deepEqual(
      Object.keys(used).filter((call) => !allowed.has(call)),
      [],
    );
  });

  test('are made by somebody, unless every token may make them', () => {
    const made = new Set((['rolling', 'blueGreen', 'backup'] as const).flatMap(callsBy));
    const rest = (Object.keys(tokenCalls) as TokenCall[]).filter((call) => !made.has(call));
    assert.deepEqual(rest, ['knowsToken']);
  });

  test('are named with their capabilities, which with sudo are two', () => {
    assert.equal(needOf('stepDown'), 'sudo and update on sys/step-down');
    assert.equal(needOf('removePeer'), 'update on sys/storage/raft/remove-peer');
    assert.equal(policyRuleOf('stepDown'), 'path "sys/step-down" { capabilities = ["sudo", "update"] }');
    assert.deepEqual(capabilitiesOf(tokenCalls.snapshot), ['read']);
  });
});

describe('the access of a cluster', () => {
  test('is a role for each of its ServiceAccounts, and for no other', () => {
    const { upgrade, backup } = jwtAccessOf(openbaoFixture());
    assert.deepEqual(upgrade.settings, {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_audiences: ['openbao-internal'],
      bound_subject: 'system:serviceaccount:default:demo-upgrade-serviceaccount',
      token_policies: ['openbao-operator-upgrade'],
      token_ttl: 3600,
    });
    assert.equal(backup.settings.bound_subject, 'system:serviceaccount:default:demo-backup-serviceaccount');
    assert.deepEqual(backup.settings.token_policies, [backup.policy.name]);
  });

  test('has the roles that the spec names, or else names of its own', () => {
    const { upgrade, backup } = jwtAccessOf(openbaoFixture({ upgrade: { jwtAuthRole: 'mine' } }));
    assert.deepEqual([upgrade.role, upgrade.isNamed, backup.role, backup.isNamed], ['mine', true, 'backup', false]);
    assert.equal(backup.field, 'spec.backup.jwtAuthRole');
  });
});
