// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { VaultError, vaultHttp, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { jwtAccessOf, type JwtAccess } from '@forge/openbao/clients/jwt-access.ts';
import { openbaoApi } from '@forge/openbao/clients/openbao-api.ts';
import { callsBy, type Caller, type TokenCall } from '@forge/openbao/clients/token-calls.ts';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { fakeOpenBao } from '@forge/simulation/openbao/fake-openbao.ts';
import { seedAccess } from './seed-access.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const trust = {
  bound_issuer: issuer,
  jwt_validation_pubkeys: [publicKey.export({ type: 'spki', format: 'pem' }) as string],
};
const blueGreen = openbaoFixture({ updateStrategy: { type: 'BlueGreen' } });
const wanted = { trust, roles: Object.values(jwtAccessOf(openbaoFixture())) };
const url = 'https://demo-0.test:8200';
const { signal } = new AbortController();

const paths = [
  'sys/auth/jwt',
  'auth/jwt/config',
  'sys/policies/acl/openbao-operator-upgrade',
  'sys/policies/acl/openbao-operator-backup',
  'auth/jwt/role/upgrade',
  'auth/jwt/role/backup',
];
const all = (outcome: string) => paths.map((path) => ({ path, outcome }));

/** A fake OpenBao that is initialised, with what was written to it. */
async function playedOpenBao() {
  const clock = virtualClock(Date.now());
  const openbao = fakeOpenBao({ clock, random: seededRandom(1) });
  const cluster = 'demo-0.test:8201';
  openbao.start({ api: url, cluster, nodeId: 'demo-0', version: '2.7.2', disk: {}, sealKey: 'k' });
  const reached = openbao.reachedBy(clock);
  // Time passes while a request waits for its answer.
  const http: HttpClient = {
    ...reached,
    send: (request) => played(reached.send(request)),
    stream: (request) => played(reached.stream(request)),
  };
  async function played<T>(answer: Promise<T>): Promise<T> {
    let isDone = false;
    answer.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    await clock.until(() => isDone);
    return await answer;
  }
  const operator = openbaoApi(() => http);
  const { rootToken } = (await operator.initialize({ url }, signal)) ?? assert.fail('it was initialised already');
  const writes: string[] = [];
  const apiWith = (token: SecretValue): VaultHttp => {
    const { call } = vaultHttp({ http, server: url, token });
    return {
      async call(method, path, body) {
        if (method !== 'GET' && path !== 'sys/capabilities-self') writes.push(path);
        return await call(method, path, body);
      },
    };
  };
  return { clock, operator, writes, apiWith, api: apiWith(rootToken), server: { url } };
}

type Played = Awaited<ReturnType<typeof playedOpenBao>>;

/** The token of a ServiceAccount, as the API server signs it. */
function jwtOf(subject: string, now: number): SecretValue {
  const seconds = Math.floor(now / 1000);
  const claims = { iss: issuer, sub: subject, aud: ['openbao-internal'], iat: seconds, exp: seconds + 600 };
  const parts = [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(privateKey).toString('base64url');
  return new SecretValue([...parts, signature].join('.'));
}

/** The calls that the token of a role may make. */
async function allowedTo({ role, settings }: JwtAccess, { operator, server, clock }: Played): Promise<string[]> {
  const login = { role, jwt: jwtOf(settings.bound_subject, clock.now()) };
  const { token } = await operator.logIn(server, login, signal);
  const calls: Readonly<Record<TokenCall, () => Promise<unknown>>> = {
    snapshot: () => operator.snapshot(server, token, signal),
    autopilot: () => operator.autopilot(server, token, signal),
    raftServers: () => operator.raftServers(server, token, signal),
    removePeer: () => operator.removePeer(server, token, 'nobody', signal),
    promote: () => operator.promote(server, token, 'nobody', signal),
    demote: () => operator.demote(server, token, 'nobody', signal),
    knowsToken: () => operator.knowsToken(server, token, signal),
    // The last one: nobody leads for a moment then.
    stepDown: () => operator.stepDown(server, token, signal),
  };
  const allowed: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const failure = await call().then(
      () => undefined,
      (error: { failure?: string }) => error.failure,
    );
    if (failure !== 'denied') allowed.push(name);
  }
  return allowed.toSorted();
}

const expected = (caller: Caller) => [...callsBy(caller), 'knowsToken'].toSorted();

describe('seeding the logins of an OpenBaoCluster', () => {
  test('lets its ServiceAccounts do what the operator calls, and nothing else; the second time it writes nothing', async () => {
    const callers = { RollingUpdate: 'rolling', BlueGreen: 'blueGreen' } as const;
    for (const cluster of [openbaoFixture(), blueGreen]) {
      const access = jwtAccessOf(cluster);
      const roles = Object.values(access);
      const openbao = await playedOpenBao();
      assert.deepEqual(await seedAccess(openbao.api, { trust, roles }, { replace: false }), all('written'));
      assert.deepEqual(openbao.writes.toSorted(), paths.toSorted());
      assert.deepEqual(await seedAccess(openbao.api, { trust, roles }, { replace: false }), all('kept'));
      assert.deepEqual(await seedAccess(openbao.api, { trust, roles }, { replace: true }), all('kept'));
      assert.equal(openbao.writes.length, paths.length);

      assert.deepEqual(await allowedTo(access.backup, openbao), expected('backup'));
      assert.deepEqual(await allowedTo(access.upgrade, openbao), expected(callers[cluster.spec.updateStrategy.type]));
    }
  });

  test('binds a role to its ServiceAccount: another one cannot log in with it', async () => {
    const { api, operator, server, clock } = await playedOpenBao();
    await seedAccess(api, wanted, { replace: false });
    const { upgrade, backup } = jwtAccessOf(openbaoFixture());
    const jwt = jwtOf(backup.settings.bound_subject, clock.now());
    await assert.rejects(operator.logIn(server, { role: upgrade.role, jwt }, signal), /invalid subject/);
  });

  const changes: readonly [what: string, path: string, body: object, said: RegExp][] = [
    [
      'a policy',
      'sys/policies/acl/openbao-operator-backup',
      { policy: 'path "*" { capabilities = ["read"] }' },
      /sys\/policies\/acl\/openbao-operator-backup is there, and has another policy\.\nNothing was written\. .*--replace/,
    ],
    [
      'the keys',
      'auth/jwt/config',
      { bound_issuer: 'https://other', jwt_validation_pubkeys: [] },
      /auth\/jwt\/config is there, and has another jwt_validation_pubkeys and bound_issuer\./,
    ],
    [
      'a role',
      'auth/jwt/role/upgrade',
      { role_type: 'jwt', user_claim: 'sub', bound_audiences: ['x'], token_policies: ['root'] },
      /auth\/jwt\/role\/upgrade is there, and has another bound_audiences and bound_subject and token_policies and token_ttl\./,
    ],
  ];
  for (const [what, path, body, said] of changes) {
    test(`does not overwrite ${what} of somebody else unless told to, and writes nothing else either`, async () => {
      const { api, writes } = await playedOpenBao();
      if (path.startsWith('auth/')) await api.call('PUT', 'sys/auth/jwt', { type: 'jwt' });
      await api.call('PUT', path, body as Record<string, unknown>);
      const before = writes.length;
      await assert.rejects(seedAccess(api, wanted, { replace: false }), said);
      assert.equal(writes.length, before);
      const seeded = await seedAccess(api, wanted, { replace: true });
      assert.deepEqual(
        seeded.filter(({ outcome }) => outcome === 'replaced').map((each) => each.path),
        [path],
      );
      assert.deepEqual(await seedAccess(api, wanted, { replace: false }), all('kept'));
    });
  }

  test('refuses another auth method at its path, also with replace', async () => {
    const api: VaultHttp = { call: async () => ({ data: { 'jwt/': { type: 'oidc' } } }) };
    for (const replace of [false, true])
      await assert.rejects(
        seedAccess(api, wanted, { replace }),
        /auth\/jwt: an auth method of type "oidc" .*bao auth move/,
      );
  });

  test('tries the token before it writes, and names what it lacks', async () => {
    const openbao = await playedOpenBao();
    const unknown = openbao.apiWith(new SecretValue('s.unknown'));
    await assert.rejects(seedAccess(unknown, wanted, { replace: false }), /GET sys\/auth: Code: 403/);

    await seedAccess(openbao.api, wanted, { replace: false });
    const reading = ['sys/auth', ...paths].map((path) => `path "${path}" { capabilities = ["read"] }`).join('\n');
    await openbao.api.call('PUT', 'sys/policies/acl/openbao-operator-backup', { policy: reading });
    const { backup } = jwtAccessOf(openbaoFixture());
    const login = { role: backup.role, jwt: jwtOf(backup.settings.bound_subject, openbao.clock.now()) };
    const { token } = await openbao.operator.logIn(openbao.server, login, signal);
    const before = openbao.writes.length;
    const weak = openbao.apiWith(token);
    await assert.rejects(
      seedAccess(weak, wanted, { replace: true }),
      /do not allow create, update on sys\/policies\/acl\/openbao-operator-backup\. Nothing was written/,
    );
    assert.equal(openbao.writes.length, before);
  });

  for (const [status, remedy] of [
    [400, /Correct what OpenBao says/],
    [503, /initialised and unsealed/],
  ] as const) {
    test(`names the remedy for a response with ${status}`, async () => {
      const failing = { call: () => Promise.reject(new VaultError('GET a', status, ['no'])) };
      await assert.rejects(seedAccess(failing, wanted, { replace: false }), remedy);
    });
  }
});
