// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { namesOf } from '../../api/names.ts';
import { exitCodes } from '../../executor/executor-failure.ts';
import { storeCanary } from '../real/canary.ts';
import { liveOpenBao, type LiveOpenBao } from '../real/live-openbao.ts';
import { startCluster } from '../real/start-cluster.ts';
import { backupJobs, type JobEnd } from './run-backup-job.ts';
import { accounts, startStorage, type StorageServer } from './storage-server.ts';

const snapshotPolicy = 'path "sys/storage/raft/snapshot" { capabilities = ["read"] }';
const megabytes = 24;

interface Result {
  readonly key: string;
  readonly bytes: number;
  readonly deleted: number;
}

describe('the executor, with a real OpenBao and a real storage server', { timeout: 480_000 }, () => {
  let cluster: OperatorCluster;
  let storage: StorageServer;
  let bao: LiveOpenBao;
  let jobs: ReturnType<typeof backupJobs>;
  let token = '';

  /** Calls OpenBao as its administrator. */
  async function administer(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const answer = await bao.call(bao.names.pod(0), { method: 'POST', path, body, token: await bao.rootToken() });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function tokenWith(...policies: string[]): Promise<string> {
    const { auth } = (await administer('auth/token/create', { policies })) as { auth: { client_token: string } };
    return auth.client_token;
  }

  before(async () => {
    cluster = await startCluster();
    [storage, bao] = await Promise.all([startStorage(cluster), liveOpenBao(cluster, 'bao')]);
    await bao.create({ replicas: 1 });
    await bao.untilVoters();
    await storeCanary(bao);
    await administer('sys/policies/acl/backup', { policy: snapshotPolicy });
    token = await tokenWith('backup');
    jobs = backupJobs(bao, storage, { token });
    const account = { name: namesOf(await bao.get()).backupServiceAccount, namespace: bao.ref.namespace };
    if ((await cluster.client.find(ServiceAccount, account)) === undefined) {
      await cluster.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
    }
    for (let part = 0; part < megabytes; part += 1) await bao.write(`bulk-${part}`, 'x'.repeat(900_000));
  });
  after(async () => {
    await storage[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  /** A Job that ended well; its result is its message. */
  function done({ exitCode, message, log }: JobEnd): Result {
    assert.equal(exitCode, 0, message);
    withoutSecrets({ exitCode, message, log });
    return JSON.parse(message) as Result;
  }

  function withoutSecrets({ message, log }: JobEnd): void {
    const secrets = [token, ...Object.values(accounts).map(({ secretAccessKey }) => secretAccessKey)];
    for (const secret of secrets) assert.ok(!`${message}${log}`.includes(secret), 'a secret is in the log');
  }

  /** A Job that must fail, and stores nothing. */
  async function failing(kind: keyof typeof exitCodes, options: Parameters<typeof jobs.run>[0]): Promise<string> {
    const earlier = await storage.objects();
    const end = await jobs.run(options);
    assert.equal(end.exitCode, exitCodes[kind], end.message);
    withoutSecrets(end);
    assert.deepEqual(await storage.objects(), earlier);
    return end.message;
  }

  /** What is stored, once the server is back. */
  const settled = () => eventually('the storage server answers', () => storage.objects().catch(() => undefined));

  const isMore = async (than: ReadonlyMap<string, number>) => (await storage.objects()).size > than.size;

  test('stores a snapshot that restores a new cluster by hand, which has its secrets', async () => {
    const { key, bytes } = done(await jobs.run());
    assert.match(key, /^bao\/bao\/.*\.snap$/);
    assert.equal((await storage.objects()).get(key), bytes);
    assert.ok(bytes > megabytes * 900_000, `${bytes} bytes`);

    const { client } = cluster;
    const { data = {} } = await client.get(Secret, { namespace: 'bao', name: bao.names.unsealKeySecret });
    const fresh = await liveOpenBao(cluster, 'fresh');
    const metadata = { name: fresh.names.unsealKeySecret, namespace: 'fresh' };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await fresh.create({ replicas: 1 });
    await fresh.untilVoters();
    const ca = (await fresh.secret(fresh.names.serverSecret))['ca.crt'] ?? '';
    const restored = await httpClient({ clock, ca, dial: (...to) => cluster.node.dial(...to) }).send({
      method: 'POST',
      url: `https://fresh-0.fresh.fresh.svc:8200/v1/sys/storage/raft/snapshot-force`,
      headers: { 'x-vault-token': await fresh.rootToken() },
      body: await storage.get(key),
      deadline: seconds(60),
      signal: AbortSignal.timeout(60_000),
    });
    assert.equal(restored.status, 204, restored.body.toString());
    await eventually('the secret is there', async () => {
      const path = 'kv/canary';
      const { body } = await fresh
        .call(fresh.names.pod(0), { path, token: await bao.rootToken() })
        .catch(() => ({ body: {} }));
      return (body as { data?: { word?: string } }).data?.word === 'sings';
    });
  });

  test('logs in with a role, and names one that is missing, a policy that is too small, a token that is revoked', async () => {
    const { stdout } = await promisify(execFile)('kubectl', ['get', '--raw', '/openid/v1/jwks'], {
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    });
    const { keys } = JSON.parse(stdout) as { keys: Record<string, string>[] };
    const pems = keys.map((jwk) =>
      createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
    );
    await administer('sys/auth/jwt', { type: 'jwt' });
    await administer('auth/jwt/config', { jwt_validation_pubkeys: pems });
    const role = {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_audiences: ['openbao-internal'],
      bound_subject: `system:serviceaccount:bao:${namesOf(await bao.get()).backupServiceAccount}`,
      token_ttl: '10m',
    };
    await administer('auth/jwt/role/backup', { ...role, token_policies: ['backup'] });
    await administer('auth/jwt/role/weak', { ...role, token_policies: ['default'] });
    done(await jobs.run({ backup: { jwtAuthRole: 'backup' } }));
    assert.match(await failing('auth', { backup: { jwtAuthRole: 'nobody' } }), /role "nobody" could not be found/);
    assert.match(await failing('auth', { backup: { jwtAuthRole: 'weak' } }), /the role "weak" do not allow snapshots/);
    assert.match(await failing('auth', { token: await tokenWith('default') }), /the token do not allow snapshots/);
    const revoked = await tokenWith('backup');
    await administer('auth/token/revoke', { token: revoked });
    assert.match(await failing('auth', { token: revoked }), /unknown, expired or revoked/);
  });

  test('names what the storage server refuses: signatures, permissions, the bucket, and that nobody listens', async () => {
    assert.match(await failing('storage', { account: 'stranger' }), /answered 403: InvalidAccessKeyId/);
    assert.match(await failing('storage', { account: 'reader' }), /answered 403: AccessDenied/);
    assert.match(await failing('storage', { target: { bucket: 'elsewhere' } }), /elsewhere.* answered 40[34]: /);
    const closed = storage.endpoint.replace(/\d+$/, '9');
    assert.match(await failing('storage', { target: { endpoint: closed } }), /no answer of http:.*:9 \(/);
    const typo = 'http://s3.storgae.svc:8333';
    assert.match(await failing('storage', { target: { endpoint: typo } }), /no answer of http:\/\/s3\.storgae/);
  });

  test('keeps as many snapshots as it should, by count and age', async () => {
    for (const year of ['2020', '2021', '2022']) {
      await storage.put(`bao/bao/${year}-01-01T00-00-00Z-00000000.snap`, year);
    }
    await storage.put('bao/bao/notes.txt', 'kept');
    const made = [...(await storage.objects()).keys()].filter((key) => key.endsWith('.snap'));
    const byAge = done(await jobs.run({ backup: { retention: { maxCount: 0, maxAge: '45000h' } } }));
    assert.equal(byAge.deleted, 2);
    const byCount = done(await jobs.run({ backup: { retention: { maxCount: 2 } } }));
    assert.equal(byCount.deleted, made.length - 2);
    const left = [...(await storage.objects()).keys()].toSorted();
    assert.deepEqual(left, [byAge.key, byCount.key, 'bao/bao/notes.txt'].toSorted());
  });

  test('leaves nothing under the name of a snapshot when the upload is cut, and the next one succeeds', async () => {
    const { end, earlier } = await eventually('an upload is cut', async () => {
      const stored = await settled();
      const ended = await jobs.start();
      await eventually('an upload has begun', async () => (await storage.isReceiving()) || isMore(stored));
      await storage.kill();
      const cut = await ended();
      // A fast upload may have ended before the server did.
      return cut.exitCode !== 0 && { end: cut, earlier: stored };
    });
    assert.equal(end.exitCode, exitCodes.storage, end.message);
    assert.deepEqual(await settled(), earlier);
    const { key, bytes } = await eventually('a backup succeeds', async () => {
      const next = await jobs.run();
      return next.exitCode === 0 && done(next);
    });
    assert.equal((await storage.objects()).get(key), bytes);
  });
});
