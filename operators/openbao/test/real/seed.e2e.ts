// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { apiPort } from '../../api/names.ts';
import { isProblem, type Credential, type CredentialProblem } from '../../clients/credential.ts';
import { openbaoApi } from '../../clients/openbao-api.ts';
import type { OpenBaoServer } from '../../clients/openbao-call.ts';
import { rememberedLogins } from '../../clients/remembered-logins.ts';
import type { ContextWith } from '../../clients/services.ts';
import { callsBy, needOf, type TokenCall } from '../../clients/token-calls.ts';
import { calledWith, readingCredential, upgradeCredential } from '../../steps/credentials.ts';
import { forgeSeed } from './forge-seed.ts';
import { liveOpenBao, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

const { signal } = new AbortController();
const paths = [
  'sys/auth/jwt',
  'auth/jwt/config',
  'sys/policies/acl/openbao-operator-upgrade',
  'sys/policies/acl/openbao-operator-backup',
  'auth/jwt/role/upgrades',
  'auth/jwt/role/backup',
];

const problemOf = (found: unknown) => (isProblem(found) ? found.problem : undefined);

describe('forge seed, for a real OpenBaoCluster', { timeout: 480_000 }, () => {
  let cluster: OperatorCluster;
  let bao: LiveOpenBao;
  let server: OpenBaoServer;
  const openbao = openbaoApi((trust) =>
    httpClient({ clock, ...trust, dial: (...target) => cluster.node.dial(...target) }),
  );

  before(async () => {
    cluster = await startCluster();
    bao = await liveOpenBao(cluster, 'bao');
    await bao.create({ replicas: 1, upgrade: { jwtAuthRole: 'upgrades' } });
    await bao.untilVoters();
    const { namespace, name } = bao.ref;
    const ca = (await bao.secret(bao.names.caSecret))['ca.crt'] ?? assert.fail('no authority');
    server = { url: `https://${bao.names.pod(0)}.${name}.${namespace}.svc:${apiPort}`, ca };
    // The operator makes it once spec.backup is set.
    const metadata = { name: bao.names.backupServiceAccount, namespace };
    await cluster.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** Calls OpenBao as its administrator. */
  async function administer(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    const token = await bao.rootToken();
    const answer = await bao.call(bao.names.pod(0), { method, path, token, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** What a step has of the world when it needs a token, with these roles. */
  async function context(upgrade: string | undefined, backup?: string): Promise<ContextWith> {
    const object = await bao.get();
    const spec = {
      ...object.spec,
      ...(upgrade === undefined ? { upgrade: undefined } : { upgrade: { jwtAuthRole: upgrade } }),
      ...(backup !== undefined && { backup: { jwtAuthRole: backup } }),
    };
    return {
      object: { ...object, spec },
      services: { openbao, logins: rememberedLogins(clock) },
      signal,
      requestToken: async (account: string, { audiences }: { audiences: readonly string[] }) => {
        const command = ['-n', bao.ref.namespace, 'create', 'token', account, '--audience', audiences.join()];
        const { stdout } = await promisify(execFile)('kubectl', ['--kubeconfig', cluster.kubeconfig, ...command]);
        return { token: new SecretValue(stdout.trim()) };
      },
      actUnlessPlanned: (_text: string, act: (acting: object) => Promise<unknown>) => act({ openbao }),
    } as unknown as ContextWith;
  }

  type Found = Credential | CredentialProblem | undefined;
  const usable = (found: Found): Credential =>
    found === undefined || isProblem(found) ? assert.fail(found?.problem ?? 'no credential') : found;

  /** The calls that a credential may make. */
  async function allowedTo(credential: Credential, step: ContextWith): Promise<string[]> {
    const calls: Readonly<Record<TokenCall, (token: SecretValue) => Promise<unknown>>> = {
      snapshot: async (token) => {
        for await (const part of await openbao.snapshot(server, token, signal)) assert.ok(part.length > 0);
      },
      autopilot: (token) => openbao.autopilot(server, token, signal),
      raftServers: (token) => openbao.raftServers(server, token, signal),
      removePeer: (token) => openbao.removePeer(server, token, 'nobody', signal),
      promote: (token) => openbao.promote(server, token, 'nobody', signal),
      demote: (token) => openbao.demote(server, token, 'nobody', signal),
      knowsToken: (token) => openbao.knowsToken(server, token, signal),
      stepDown: (token) => openbao.stepDown(server, token, signal),
    };
    const allowed: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const needs = needOf(name as TokenCall);
      const result = await calledWith(credential, { server, needs, context: step }, call).catch(
        (error: unknown) => error,
      );
      if (!isProblem(result)) allowed.push(name);
      else assert.equal(result.problem, `the token of ${credential.from} needs ${needs}`);
    }
    await eventually('it leads again', async () => (await openbao.leader(server, signal)).isSelf);
    return allowed.toSorted();
  }

  test('refuses a token that is wrong, and a cluster that is not there, and writes nothing', async () => {
    const wrong = await forgeSeed(bao, 's.wrong');
    assert.equal(wrong.code, 1);
    assert.match(wrong.output, /Code: 403.*\nThe token of --token-file \S+ is wrong, has expired, or/);
    assert.doesNotMatch(wrong.output, /s\.wrong/);
    const missing = await forgeSeed(bao, await bao.rootToken(), '--openbao-cluster', 'bao-2');
    assert.equal(missing.code, 2);
    assert.match(missing.output, /--openbao-cluster "bao-2": there is no OpenBaoCluster of this name/);
    const mounts = await bao.call(bao.names.pod(0), { path: 'sys/auth', token: await bao.rootToken() });
    assert.ok(!JSON.stringify(mounts.body).includes('jwt/'));
  });

  test('sets up what is missing, and changes nothing the second time', async () => {
    const token = await bao.rootToken();
    const { code, output } = await forgeSeed(bao, token);
    assert.equal(code, 0, output);
    const next = 'To use it, set spec.backup.jwtAuthRole to "backup".';
    assert.deepEqual(output.trim().split('\n'), [...paths.map((path) => `${path}  written`), next]);
    assert.ok(!output.includes(token));
    const again = await forgeSeed(bao, token);
    assert.deepEqual(again.output.trim().split('\n'), [...paths.map((path) => `${path}  kept as it was`), next]);
  });

  test('lets upgrades log in, step down and read a snapshot, and do nothing else', async () => {
    const step = await context('upgrades');
    const credential = usable(await upgradeCredential(step, server));
    assert.deepEqual(await allowedTo(credential, step), [...callsBy('rolling'), 'knowsToken'].toSorted());
    const others = { token: credential.token.reveal() };
    for (const path of ['sys/auth', 'sys/policies/acl/root', 'auth/jwt/role/upgrades', 'kv/canary'])
      assert.equal((await bao.call(bao.names.pod(0), { path, ...others })).status, 403, path);
  });

  test('lets backups log in and read a snapshot, and do nothing else', async () => {
    const step = await context(undefined, 'backup');
    const credential = usable(await readingCredential(step, server));
    assert.equal(credential.from, 'role backup');
    assert.deepEqual(await allowedTo(credential, step), [...callsBy('backup'), 'knowsToken'].toSorted());
  });

  test('leads to texts that name a role that is missing or of somebody else, and a token that was revoked', async () => {
    const missing = problemOf(await upgradeCredential(await context('nobody'), server));
    assert.match(missing ?? '', /^cannot log in with role nobody: .*role "nobody" could not be found$/);
    const other = problemOf(await upgradeCredential(await context('backup'), server));
    assert.match(other ?? '', /^cannot log in with role backup: .*invalid subject \(sub\) claim/);

    const step = await context('upgrades');
    const { token, ...rest } = usable(await upgradeCredential(step, server));
    await administer('POST', 'auth/token/revoke', { token: token.reveal() });
    const read = { server, needs: needOf('raftServers'), context: step };
    const call = (used: SecretValue) => openbao.raftServers(server, used, signal);
    const revoked = await calledWith({ token, ...rest }, read, call);
    assert.equal(problemOf(revoked), 'the token of role upgrades is not valid any more');
    // It was forgotten: the next pass logs in again.
    const next = usable(await upgradeCredential(step, server));
    assert.equal(problemOf(await calledWith(next, read, call)), undefined);
  });

  test('overwrites what somebody has changed only with --replace', async () => {
    const path = 'sys/policies/acl/openbao-operator-upgrade';
    await administer('POST', path, { policy: 'path "sys/step-down" { capabilities = ["update"] }' });
    const step = await context('upgrades');
    const credential = usable(await upgradeCredential(step, server));
    assert.deepEqual(await allowedTo(credential, step), ['knowsToken']);
    const token = await bao.rootToken();
    const refused = await forgeSeed(bao, token);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /openbao-operator-upgrade is there, and has another policy\.\nNothing was written/);
    const replaced = await forgeSeed(bao, token, '--replace');
    assert.match(replaced.output, /openbao-operator-upgrade +replaced/);
    assert.equal(replaced.output.match(/kept as it was/g)?.length, paths.length - 1);
    assert.deepEqual(await allowedTo(credential, step), [...callsBy('rolling'), 'knowsToken'].toSorted());
  });

  test('names the URL that OpenBao cannot read keys from, and goes on when that is corrected', async () => {
    await administer('DELETE', 'sys/auth/jwt');
    const token = await bao.rootToken();
    const refused = await forgeSeed(bao, token, '--jwks-url', 'https://127.0.0.1:1/jwks');
    assert.equal(refused.code, 1);
    assert.match(
      refused.output,
      /auth\/jwt\/config: Code: 400\. .*\nCorrect .*\nIt reads the keys at https:\/\/127\.0\.0\.1:1\/jwks: check/,
    );
    const corrected = await forgeSeed(bao, token);
    assert.equal(corrected.code, 0, corrected.output);
    usable(await upgradeCredential(await context('upgrades'), server));
  });
});
