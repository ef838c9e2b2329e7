// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { isProblem } from '../clients/credential.ts';
import { OpenBaoError } from '../clients/openbao-error.ts';
import { rememberedLogins } from '../clients/remembered-logins.ts';
import type { ContextWith } from '../clients/services.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import {
  calledWith,
  credentialSecrets,
  readingCredential,
  rootToken,
  stepDownCredential,
  upgradeCredential,
} from './credentials.ts';

const server = { url: 'https://demo-0.demo.default.svc:8200' };
const needs = 'update on sys/storage/raft/remove-peer';
const target = { endpoint: 'https://s3.example', bucket: 'b' } as never;
const backup = {
  schedule: '0 3 * * *',
  executorImage: 'executor',
  target,
  jwtAuthRole: 'backups',
  preUpgradeSnapshot: false,
};

interface World {
  readonly spec?: Parameters<typeof openbaoFixture>[0];
  readonly secrets?: Readonly<Record<string, string>>;
  readonly isPlan?: boolean;
  /** Why the server refuses logins. */
  refusal?: string;
  isTokenKnown?: boolean;
}

/** A pass with these Secrets; what it did is in `done`. */
function pass(world: World) {
  const done: string[] = [];
  const clock = virtualClock();
  const secretOf = (name: string): Secret | undefined => {
    const token = world.secrets?.[name];
    return token === undefined
      ? undefined
      : { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { token: btoa(token) } };
  };
  const openbao = {
    logIn: async (_server: object, { role, jwt }: { role: string; jwt: SecretValue }) => {
      done.push(`logIn ${role} ${jwt.reveal()}`);
      if (world.refusal !== undefined) throw new OpenBaoError('POST login', 'refused', world.refusal);
      return { token: new SecretValue(`token ${done.length}`), leaseSeconds: 60, isRenewable: true };
    },
    knowsToken: async () => world.isTokenKnown ?? true,
  };
  const context = {
    object: openbaoFixture(world.spec),
    get: (_kind: object, name: string) => secretOf(name),
    fetch: async (_kind: object, name: string) => secretOf(name),
    requestToken: async (account: string, { audiences }: { audiences: readonly string[] }) => {
      done.push(`requestToken ${account} ${audiences.join()}`);
      return { token: new SecretValue('jwt') };
    },
    actUnlessPlanned: async (_text: string, call: (acting: object) => Promise<unknown>) =>
      world.isPlan === true ? undefined : await call({ openbao }),
    services: { openbao, logins: rememberedLogins(clock) },
    signal: new AbortController().signal,
  } as unknown as ContextWith;
  return { context, clock, done };
}

const wantedBy = (spec: World['spec'], read: typeof rootToken) => read.wanted(openbaoFixture(spec), {} as never);

const denied = () => Promise.reject(new OpenBaoError('POST x', 'denied', 'permission denied'));

type Found = Awaited<ReturnType<typeof upgradeCredential>>;

/** The token and where it comes from, or why there is none. */
const textOf = (found: Found) =>
  found === undefined ? 'none' : isProblem(found) ? found.problem : `${found.token.reveal()} of ${found.from}`;

describe('credentials', () => {
  test('a role goes before a token; upgrades do not use that of backups, and nothing but a step-down the root token', async () => {
    const both = { jwtAuthRole: 'upgrades', tokenSecretRef: { name: 'upgrade' } };
    const secrets = { 'demo-root-token': 'root', upgrade: 'token\n' };
    const tried = async (
      upgrade: typeof both | { tokenSecretRef: { name: string } } | undefined,
      read = upgradeCredential,
      withBackup = false,
    ) => {
      const { context } = pass({ spec: { ...(upgrade && { upgrade }), ...(withBackup && { backup }) }, secrets });
      return textOf(await read(context, server));
    };
    assert.equal(await tried(both), 'token 2 of role upgrades');
    assert.equal(await tried({ tokenSecretRef: { name: 'upgrade' } }), 'token of Secret upgrade');
    assert.equal(await tried(undefined, upgradeCredential, true), 'none');
    assert.equal(await tried(undefined, readingCredential), 'none');
    assert.equal(await tried(undefined, readingCredential, true), 'token 2 of role backups');
    assert.equal(await tried(both, stepDownCredential), 'token 2 of role upgrades');
    assert.equal(await tried(undefined, stepDownCredential, true), 'root of Secret demo-root-token');
  });

  test('what is missing is named, and nothing else takes its place', async () => {
    const upgrade = { tokenSecretRef: { name: 'upgrade' } };
    const { context } = pass({ spec: { upgrade, backup }, secrets: { 'demo-root-token': 'root' } });
    for (const read of [upgradeCredential, readingCredential, stepDownCredential])
      assert.equal(textOf(await read(context, server)), 'Secret upgrade with the key "token" is missing');
    const nothing = pass({});
    assert.equal(
      textOf(await stepDownCredential(nothing.context, server)),
      'no upgrade token configured: set spec.upgrade.jwtAuthRole or spec.upgrade.tokenSecretRef',
    );
  });

  test('a login serves until two thirds of its lease are over; one that failed is not remembered, and says why', async () => {
    const world: World = {
      spec: { upgrade: { jwtAuthRole: 'upgrades' } },
      refusal: 'role "upgrades" could not be found',
    };
    const { context, clock, done } = pass(world);
    const refused = 'cannot log in with role upgrades: POST login: role "upgrades" could not be found';
    assert.equal(textOf(await upgradeCredential(context, server)), refused);
    delete world.refusal;
    const login = ['requestToken demo-upgrade-serviceaccount openbao-internal', 'logIn upgrades jwt'];
    await upgradeCredential(context, server);
    await clock.advance(seconds(39));
    await upgradeCredential(context, server);
    assert.deepEqual(done, [...login, ...login]);
    await clock.advance(seconds(2));
    await upgradeCredential(context, server);
    assert.deepEqual(done, [...login, ...login, ...login]);
  });

  test('only the Secrets that the spec names are cached, and never the root token', () => {
    assert.deepEqual(wantedBy({}, credentialSecrets), []);
    const named = wantedBy({ upgrade: { tokenSecretRef: { name: 'upgrade' } } }, credentialSecrets);
    assert.equal(named.length, 1);
    assert.deepEqual([rootToken.live, credentialSecrets.live], [true, false]);
  });

  test('a plan does not log in', async () => {
    const { context, done } = pass({ spec: { upgrade: { jwtAuthRole: 'upgrades' } }, isPlan: true });
    assert.deepEqual([textOf(await upgradeCredential(context, server)), done], ['a plan does not log in', []]);
  });

  test('a denied call tells a policy that is too small from a token that is gone, and the next pass logs in again', async () => {
    const world: World = { spec: { upgrade: { jwtAuthRole: 'upgrades' } } };
    const { context, done } = pass(world);
    for (const [isTokenKnown, problem] of [
      [true, `the token of role upgrades needs ${needs}`],
      [false, 'the token of role upgrades is not valid any more'],
    ] as const) {
      world.isTokenKnown = isTokenKnown;
      const credential = await upgradeCredential(context, server);
      assert.ok(credential !== undefined && !isProblem(credential));
      assert.deepEqual(await calledWith(credential, { server, needs, context }, denied), { problem });
    }
    assert.equal(done.filter((each) => each.startsWith('logIn')).length, 2);
  });
});
