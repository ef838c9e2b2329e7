// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { playedBackup, refused } from '../test/executor/played-backup.ts';
import { packed, snapshotFiles } from '../test/executor/snapshots.ts';
import { exitCodes } from './executor-failure.ts';

type Played = ReturnType<typeof playedBackup>;

const whole = packed(snapshotFiles);
/** The virtual clock starts there. */
const made = /^ops\/demo\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-abababab\.snap$/;

/** Runs a backup that must fail, and leaves nothing; returns its message. */
async function failing(kind: keyof typeof exitCodes, prepare: (played: Played) => void): Promise<string> {
  const played = playedBackup();
  prepare(played);
  const { exitCode, message } = await played.run();
  assert.equal(exitCode, exitCodes[kind], message);
  assert.deepEqual([...played.bucket.objects.keys()], []);
  assert.doesNotMatch(message + JSON.stringify(played.log), /header\.payload|s\.token|s\.lease|storage-secret/);
  assert.doesNotMatch(message, /\n/);
  return message;
}

describe('a backup', () => {
  test('stores a snapshot of the leader, and says which, how large and how long', async () => {
    const played = playedBackup();
    const { exitCode, message } = await played.run();
    const [key = ''] = played.bucket.objects.keys();
    assert.equal(exitCode, 0);
    assert.match(key, made);
    assert.deepEqual(played.bucket.objects.get(key)?.content, whole);
    assert.deepEqual(JSON.parse(message), { key, bytes: whole.length, seconds: 0, deleted: 0 });
    const leader = 'https://demo-1.demo.ops.svc:8200';
    assert.deepEqual(played.asked.slice(3), [
      `login at ${leader} with backup header.payload.signature`,
      `snapshot of ${leader} with s.lease`,
    ]);
    assert.deepEqual(played.bucket.requests, [`PUT ${key}`, `HEAD ${key}`]);
  });

  test('uses a token as it is, and the key that its Job gives', async () => {
    const played = playedBackup();
    Object.assign(played.environment, { BACKUP_AUTH_METHOD: 'token', BACKUP_KEY: 'a/b.snap' });
    await played.run();
    assert.deepEqual(played.asked.slice(3), ['snapshot of https://demo-1.demo.ops.svc:8200 with s.token']);
    assert.deepEqual([...played.bucket.objects.keys()], ['a/b.snap']);
  });

  test('asks again while nobody leads, or two servers say that they do', async () => {
    const played = playedBackup();
    played.servers = ['leader', 'leader', 'standby'];
    const ended = played.run();
    played.clock.after(seconds(2), () => (played.servers = ['unreachable', 'standby', 'sealed']));
    played.clock.after(seconds(5), () => (played.servers = ['standby', 'standby', 'leader']));
    const { exitCode } = await ended;
    assert.equal(exitCode, 0);
    assert.match(played.asked.at(-1) ?? '', /snapshot of https:\/\/demo-2\./);
  });

  test('takes an upload whose answer is lost for what it is', async () => {
    const played = playedBackup();
    played.bucket.failure = (request) => (request.startsWith('PUT') ? 'unanswered' : undefined);
    const { exitCode, lines } = await played.run();
    assert.equal(exitCode, 0);
    assert.ok(lines.includes('the upload ended with an error, and is complete'));
    assert.equal(played.bucket.objects.size, 1);
  });
});

const missing = (path: string) => failing('config', ({ files }) => (files[path] = undefined));

const byToken = (isTokenValid: boolean) => (played: Played) => {
  played.environment['BACKUP_AUTH_METHOD'] = 'token';
  played.isTokenValid = isTokenValid;
};

describe('a backup fails', () => {
  const ofSettings: readonly (readonly [RegExp, string, string | undefined])[] = [
    [/^CLUSTER_NAME is not set$/, 'CLUSTER_NAME', undefined],
    [/^CLUSTER_REPLICAS is 0; it must be a whole number from 1 to 1000$/, 'CLUSTER_REPLICAS', '0'],
    [/^BACKUP_CONCURRENCY is many; it must be/, 'BACKUP_CONCURRENCY', 'many'],
    [/^BACKUP_PART_SIZE is 1000; it must be a whole number from 5242880/, 'BACKUP_PART_SIZE', '1000'],
    [/^BACKUP_ENDPOINT is s3\.test; it must be an http or https URL$/, 'BACKUP_ENDPOINT', 's3.test'],
    [/^BACKUP_AUTH_METHOD is root; it must be jwt or token$/, 'BACKUP_AUTH_METHOD', 'root'],
    [/^BACKUP_RETENTION_MAX_AGE is 0s; it must be a duration/, 'BACKUP_RETENTION_MAX_AGE', '0s'],
  ];
  for (const [message, name, value] of ofSettings) {
    test(`with exit code 1 when the environment is wrong: ${name}=${value ?? ''}`, async () => {
      const said = await failing('config', ({ environment }) => (environment[name] = value));
      assert.match(said, message);
    });
  }

  test('with exit code 1 when a file is missing', async () => {
    assert.match(await missing('/etc/bao/tls/ca.crt'), /the CA of the servers is missing: \/etc\/bao\/tls\/ca\.crt/);
    const secret = '/etc/bao/backup/credentials/secretAccessKey';
    assert.match(await missing(secret), new RegExp(`incomplete: there is no ${secret}`));
  });

  test('with exit code 2 when OpenBao refuses it, and says what is missing', async () => {
    assert.match(
      await failing('auth', ({ files }) => (files['/var/run/secrets/tokens/openbao-token'] = undefined)),
      /there is no jwt in \/var\/run\/secrets\/tokens\/openbao-token/,
    );
    assert.match(
      await failing('auth', (played) => (played.login = refused('refused', 'role "backup" could not be found'))),
      /the login with the role "backup" failed: .*could not be found/,
    );
    const denied = (prepare: (played: Played) => void) =>
      failing('auth', (played) => {
        played.snapshot = refused('denied', 'permission denied');
        prepare(played);
      });
    assert.match(await denied(() => {}), /the policies of the role "backup" do not allow snapshots; they need path/);
    assert.match(await denied(byToken(true)), /the policies of the token do not allow snapshots/);
    assert.match(await denied(byToken(false)), /OpenBao refuses the token: it is unknown, expired or revoked/);
  });

  test('with exit code 3 when nobody leads for 15 seconds, and says what the servers are', async () => {
    assert.equal(
      await failing('leader', (played) => (played.servers = ['sealed', 'uninitialised', 'unreachable'])),
      'no server leads: demo-0 is sealed, demo-1 is not initialised, demo-2 does not answer (OpenBaoError: GET x: connection refused)',
    );
    assert.match(
      await failing('leader', (played) => (played.login = refused('standby', 'no active node found'))),
      /the login with the role "backup" failed/,
    );
  });

  test('with exit code 4 when the snapshot cannot be read or is not whole', async () => {
    const cases = [
      [refused('sealed', 'Vault is sealed'), /Vault is sealed/],
      [whole.subarray(0, -600), /the snapshot is damaged: unexpected end of file/],
      [packed(snapshotFiles.slice(0, -1)), /the snapshot is not whole: it ends without SHA256SUMS\.sealed/],
    ] as const;
    for (const [snapshot, message] of cases) {
      assert.match(await failing('snapshot', (played) => (played.snapshot = snapshot)), message);
    }
  });

  test('with exit code 5 when the storage server fails, whatever the way', async () => {
    const answer = '403: AccessDenied';
    for (const failure of ['down', 'hung', 'cut', { answer }] as const) {
      const message = await failing('storage', ({ bucket }) => {
        bucket.failure = (request) => (request.startsWith('PUT') ? failure : undefined);
      });
      assert.match(message, /^PUT ops\/demo\/.*(no answer|the connection broke|AccessDenied)/);
    }
  });

  test('with exit code 6 when something else is stored, which goes', async () => {
    const shortened = await failing('verification', ({ bucket }) => {
      bucket.failure = (request) => (request.startsWith('PUT') ? 'shortened' : undefined);
    });
    assert.match(shortened, new RegExp(`${whole.length} bytes were sent, and ${whole.length - 1} bytes is stored as`));
    const played = playedBackup();
    played.bucket.failure = (request) => (request.startsWith('HEAD') ? 'down' : undefined);
    const { exitCode, message } = await played.run();
    assert.equal(exitCode, exitCodes.verification);
    assert.match(message, /cannot verify the snapshot ops\/demo\/.*no answer/);
    assert.equal(played.bucket.objects.size, 1, 'what cannot be looked at may be whole, and stays');
  });

  test('with exit code 143 when it is stopped, and leaves nothing', async () => {
    const played = playedBackup();
    played.servers = ['sealed', 'sealed', 'sealed'];
    const ended = played.run();
    played.clock.after(seconds(2), () => played.stopping.abort());
    assert.deepEqual(await ended.then(({ exitCode, message }) => [exitCode, message]), [
      143,
      'stopped before the backup was complete',
    ]);
  });
});

describe('retention', () => {
  const days = 24 * 60 * 60 * 1000;

  /** A bucket with snapshots that are so many days old; returns what is left of them. */
  async function keptOf(ages: readonly number[], environment: Record<string, string>, prepare?: (of: Played) => void) {
    const played = playedBackup();
    const now = played.clock.now();
    const keys = ages.map((age, index) => {
      const time = new Date(now - age * days).toISOString().slice(0, 19).replaceAll(':', '-');
      return `ops/demo/${index === 1 ? 'pre-upgrade-' : ''}${time}Z-0000000${index}.snap`;
    });
    for (const key of keys) played.bucket.put(key, whole, now);
    Object.assign(played.environment, environment);
    prepare?.(played);
    const { exitCode, message, lines } = await played.run();
    const left = keys.flatMap((key, index) => (played.bucket.objects.has(key) ? [ages[index]] : []));
    return { exitCode, left, deleted: (JSON.parse(message) as { deleted: number }).deleted, lines };
  }

  test('keeps as many as it should, the new one included, and all by default', async () => {
    assert.deepEqual((await keptOf([1, 2, 3, 4], {})).left, [1, 2, 3, 4]);
    const { left, deleted } = await keptOf([3, 1, 4, 2], { BACKUP_RETENTION_MAX_COUNT: '3' });
    assert.deepEqual([left, deleted], [[1, 2], 2]);
    assert.deepEqual((await keptOf([1], { BACKUP_RETENTION_MAX_COUNT: '1' })).left, []);
  });

  test('keeps none that is too old', async () => {
    const { left, deleted } = await keptOf([1, 2, 3, 4], { BACKUP_RETENTION_MAX_AGE: '48h30m' });
    assert.deepEqual([left, deleted], [[1, 2], 2]);
  });

  test('never touches what is none of its snapshots, nor the one just made', async () => {
    const others = ['ops/demo/notes.txt', 'ops/demo/old/2020-01-01T00-00-00Z-00000000.snap', 'ops/demo2/x.snap'];
    const limits = { BACKUP_RETENTION_MAX_COUNT: '1', BACKUP_RETENTION_MAX_AGE: '1ms' };
    let bucket: Played['bucket'] | undefined;
    await keptOf([1], { ...limits, BACKUP_KEY: 'ops/demo/2000-01-01T00-00-00Z-00000000.snap' }, (played) => {
      ({ bucket } = played);
      for (const key of others) played.bucket.put(key, whole, 0);
    });
    const left = [...(bucket?.objects.keys() ?? [])].toSorted();
    assert.deepEqual(left, ['ops/demo/2000-01-01T00-00-00Z-00000000.snap', ...others].toSorted());
  });

  test('goes by the time of the object where the name has none', async () => {
    const { deleted } = await keptOf([], { BACKUP_RETENTION_MAX_AGE: '1h' }, ({ bucket, clock }) => {
      bucket.put('ops/demo/by-hand.snap', whole, clock.now() - 2 * days);
      bucket.put('ops/demo/by-hand-too.snap', whole, clock.now());
    });
    assert.equal(deleted, 1);
  });

  test('never fails a backup, and says what it could not delete', async () => {
    for (const verb of ['LIST', 'DELETE']) {
      const { exitCode, left, deleted, lines } = await keptOf([1, 2], { BACKUP_RETENTION_MAX_COUNT: '1' }, (played) => {
        played.bucket.failure = (request) => (request.startsWith(verb) ? { answer: '403: AccessDenied' } : undefined);
      });
      assert.deepEqual([exitCode, left, deleted], [0, [1, 2], 0]);
      assert.match(lines.at(-1) ?? '', /^cannot delete .*kept no longer/);
    }
  });
});
