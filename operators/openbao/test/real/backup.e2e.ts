// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { accounts, startStorage, type StorageServer } from '../executor/storage-server.ts';
import { storeCanary } from './canary.ts';
import { executorImage } from './executor-image.ts';
import { forgeSeed } from './forge-seed.ts';
import { liveOpenBao, patience, type LiveOpenBao } from './live-openbao.ts';
import { startCluster } from './start-cluster.ts';

/** A schedule that has no time during the test. */
const yearly = '0 0 1 1 *';

describe('backups of a real OpenBaoCluster', { timeout: 900_000 }, () => {
  let cluster: OperatorCluster;
  let storage: StorageServer;
  let bao: LiveOpenBao;
  let triggers = 0;

  before(async () => {
    cluster = await startCluster();
    [storage, bao] = await Promise.all([startStorage(cluster), liveOpenBao(cluster, 'bao')]);
    await storeSecret('s3', accounts.writer);
    await bao.create({ replicas: 3, backup: backup() });
    await bao.untilVoters();
    await storeCanary(bao);
    const { code, output } = await forgeSeed(bao, await bao.rootToken());
    assert.equal(code, 0, output);
  });
  after(async () => {
    await storage[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  function backup(): NonNullable<OpenBaoCluster['spec']['backup']> {
    return {
      schedule: yearly,
      executorImage,
      jwtAuthRole: 'backup',
      preUpgradeSnapshot: false,
      target: {
        endpoint: storage.endpoint,
        bucket: storage.bucket,
        region: 'us-east-1',
        usePathStyle: true,
        partSize: 5 * 1024 * 1024,
        concurrency: 2,
        credentialsSecretRef: { name: 's3' },
      },
    };
  }

  async function storeSecret(name: string, stringData: Record<string, string>): Promise<void> {
    const metadata = { name, namespace: 'bao' };
    await cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
  }

  const statusOf = async () => (await bao.get()).status?.backup ?? {};

  /** Asks for a snapshot. */
  async function ask(): Promise<string> {
    const value = `trigger-${(triggers += 1)}`;
    const metadata = { annotations: { [annotations.triggerBackup]: value } };
    await cluster.client.patch(OpenBaoCluster, bao.ref, 'merge', { metadata });
    return value;
  }

  /** Asks for a snapshot, and waits until it has ended; returns what status has then. */
  async function askAndWait() {
    const value = await ask();
    const isOver = async () => {
      const status = await statusOf();
      return status.lastTrigger === value && status.attempt === undefined && status;
    };
    return await eventually(`the snapshot of ${value} has ended`, isOver, { ...patience, observed: statusOf });
  }

  /** A snapshot that must be stored. */
  async function stored(): Promise<string> {
    const { lastBackupName: name = '', lastBackupSize, consecutiveFailures, lastFailureReason } = await askAndWait();
    assert.deepEqual([consecutiveFailures, lastFailureReason], [0, undefined]);
    assert.equal((await storage.objects()).get(name), lastBackupSize);
    await bao.until('BackingUp', `False BackupSucceeded: Snapshot ${name} is stored`);
    return name;
  }

  test('store a snapshot under a role when an annotation asks for one', async () => {
    const name = await stored();
    assert.match(name, /^bao\/bao\/[-\dTZ]+-[0-9a-f]{8}\.snap$/);
    assert.deepEqual([...(await storage.objects()).keys()], [name]);
    assert.match(await bao.condition('Available'), /^True/);
  });

  test('wait for the Secret with a token, and are made as soon as it exists', async () => {
    await bao.change({ backup: { jwtAuthRole: null, tokenSecretRef: { name: 'backup-token' } } });
    await ask();
    await bao.until('BackingUp', /^False NoBackupToken: .* Secret backup-token /);
    const earlier = await statusOf();
    const body = { policies: ['openbao-operator-backup'], no_parent: true };
    const made = await bao.call(bao.names.publicService, {
      method: 'POST',
      path: 'auth/token/create',
      body,
      token: await bao.rootToken(),
    });
    const { auth } = made.body as { auth: { client_token: string } };
    await storeSecret('backup-token', { token: auth.client_token });
    await bao.until('BackingUp', /^False BackupSucceeded/);
    assert.notEqual((await statusOf()).lastBackupName, earlier.lastBackupName);
    await bao.change({ backup: { jwtAuthRole: 'backup', tokenSecretRef: null } });
  });

  const mistakes: readonly [what: string, wrong: () => Promise<void>, said: RegExp, right: () => Promise<void>][] = [
    [
      'credentials that are wrong',
      async () => {
        await storeSecret('stranger', accounts.stranger);
        await bao.change({ backup: { target: { credentialsSecretRef: { name: 'stranger' } } } });
      },
      /answered 403: InvalidAccessKeyId/,
      () => bao.change({ backup: { target: { credentialsSecretRef: { name: 's3' } } } }),
    ],
    [
      'a bucket that does not exist',
      () => bao.change({ backup: { target: { bucket: 'elsewhere' } } }),
      /elsewhere.* answered 40[34]: /,
      () => bao.change({ backup: { target: { bucket: storage.bucket } } }),
    ],
    [
      'a port at which nobody listens',
      () => bao.change({ backup: { target: { endpoint: storage.endpoint.replace(/\d+$/, '9') } } }),
      /no answer of http:.*:9 \(/,
      () => bao.change({ backup: { target: { endpoint: storage.endpoint } } }),
    ],
    [
      'a role that does not exist',
      () => bao.change({ backup: { jwtAuthRole: 'nobody' } }),
      /the login with the role "nobody" failed: .*could not be found/,
      () => bao.change({ backup: { jwtAuthRole: 'backup' } }),
    ],
  ];
  for (const [what, wrong, said, right] of mistakes) {
    test(`say what is wrong with ${what}, and nothing is left of it once that is corrected`, async () => {
      const earlier = await storage.objects();
      await wrong();
      const { consecutiveFailures, lastFailureReason = '' } = await askAndWait();
      assert.match(lastFailureReason, said);
      assert.ok((consecutiveFailures ?? 0) > 0);
      assert.match(await bao.until('BackingUp', 'BackupFailed'), said);
      assert.deepEqual(await storage.objects(), earlier);
      for (const { secretAccessKey } of Object.values(accounts))
        assert.ok(!lastFailureReason.includes(secretAccessKey));
      await right();
      await stored();
    });
  }

  test('are made at the next time of the schedule, after an endpoint was mistyped and corrected', async () => {
    await bao.change({ backup: { target: { endpoint: 'http://s3.storgae.svc:8333' } } });
    const { lastFailureReason = '' } = await askAndWait();
    assert.match(lastFailureReason, /no answer of http:\/\/s3\.storgae\.svc/);
    // A minute for the operator to see the change.
    const slot = new Date((Math.floor(Date.now() / 60_000) + 2) * 60_000);
    const schedule = `${slot.getUTCMinutes()} ${slot.getUTCHours()} * * *`;
    await bao.change({ backup: { schedule, target: { endpoint: storage.endpoint } } });
    await bao.until('BackingUp', /^False BackupSucceeded/, 5);
    const { lastAttemptScheduledTime, lastBackupName = '', consecutiveFailures } = await statusOf();
    assert.equal(Date.parse(lastAttemptScheduledTime ?? ''), slot.getTime());
    assert.ok(lastBackupName.includes(`${slot.toISOString().slice(0, 19).replaceAll(':', '-')}Z`), lastBackupName);
    assert.equal(consecutiveFailures, 0);
    await bao.change({ backup: { schedule: yearly } });
  });

  test('delete the oldest ones beyond those that are kept, and nothing else', async () => {
    await storage.put('bao/bao/notes.txt', 'kept');
    const earlier = [...(await storage.objects()).keys()].filter((key) => key.endsWith('.snap')).toSorted();
    await bao.change({ backup: { retention: { maxCount: 2 } } });
    const made = await stored();
    const left = [...(await storage.objects()).keys()].toSorted();
    assert.deepEqual(left, ['bao/bao/notes.txt', earlier.at(-1) ?? '', made].toSorted());
  });
});
