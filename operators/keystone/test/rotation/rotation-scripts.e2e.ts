// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { rotationCompletedAnnotation } from '../../api/names.ts';
import { rejectionOf } from '../../objects/keys/staged-keys.ts';
import { home } from '../start-keystone-operator.ts';
import { decoded, rotationPod, type RotationPod } from './rotation-pod.ts';

// Where changes are checked before they land, nothing is skipped.
const mayRun = process.env['CI'] !== undefined || spawnSync('python3', ['--version']).status === 0;
const skip = mayRun ? false : 'python3 is not installed';

/** Why the operator rejects the staged keys; undefined when it accepts them. */
async function rejection(pod: RotationPod): Promise<string | undefined> {
  return rejectionOf((await pod.staging()).data ?? {}, await pod.production(), 3);
}

/** The commands of keystone-manage that a run called. */
const commandsIn = (stderr: string) => stderr.split('\n').filter((line) => /^(fernet|credential)_/.test(line));

describe('the script that rotates Fernet keys', { skip }, () => {
  let pod: RotationPod;

  beforeEach(async () => {
    pod = await rotationPod('fernet');
  });
  afterEach(() => pod[Symbol.asyncDispose]());

  test('stages keys that the operator takes, with the time, in the place of what an earlier run left', async () => {
    const metadata = { name: 'identity-fernet-keys-rotation' };
    await pod.client.patch(Secret, { ...home, ...metadata }, 'merge', { data: { 7: 'b2xk', '0.tmp': 'b2xk' } });
    const { code, stdout, stderr } = await pod.runContainer();
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'Fernet keys staging Secret updated successfully\n');
    const staging = await pod.staging();
    assert.deepEqual(Object.keys(staging.data ?? {}), ['0', '2', '3']);
    assert.match(
      staging.metadata.annotations?.[rotationCompletedAnnotation] ?? '',
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    );
    assert.equal(await rejection(pod), undefined);
  });

  test('rotates once, however often its container is restarted', async () => {
    const killed = await pod.runContainer({ CRASH_AFTER: 'fernet_rotate' });
    assert.equal(killed.code, 137);
    const again = await pod.runContainer();
    assert.deepEqual([again.code, commandsIn(again.stderr)], [0, []]);
    assert.equal(await rejection(pod), undefined);
    assert.equal((await pod.runContainer()).code, 0);
    assert.equal(await rejection(pod), undefined);
  });

  test('rotates anew in a new pod', async () => {
    await pod.runContainer();
    const first = (await pod.staging()).data;
    await pod.startPod();
    await pod.runContainer();
    assert.notDeepEqual((await pod.staging()).data, first);
    assert.equal(await rejection(pod), undefined);
  });

  test('ends with the code of keystone-manage and stages nothing when that fails', async () => {
    assert.equal((await pod.runContainer({ FAIL: 'fernet_rotate' })).code, 7);
    assert.equal((await pod.staging()).data, undefined);
  });

  test('stages nothing when the rotation was interrupted half-way', async () => {
    assert.equal((await pod.runContainer({ FAIL: 'half' })).code, 3);
    const { code, stderr } = await pod.runContainer();
    assert.equal(code, 1);
    assert.match(stderr, /left no key 0: nothing is staged/);
    assert.equal((await pod.staging()).data, undefined);
  });

  test('says what the API server answered, and may not write the keys in production', async () => {
    const before = await pod.production();
    const { code, stderr } = await pod.runContainer({ SECRET_NAME: 'identity-fernet-keys' });
    assert.equal(code, 1);
    assert.match(stderr, /Secret update failed: 403 .*identity-fernet-keys/s);
    assert.deepEqual(await pod.production(), before);
    const missing = await pod.runContainer({ SECRET_NAMESPACE: 'elsewhere' });
    assert.match(missing.stderr, /Secret update failed: 403/);
  });
});

describe('the script that rotates credential keys', { skip }, () => {
  let pod: RotationPod;

  beforeEach(async () => {
    pod = await rotationPod('credential');
  });
  afterEach(() => pod[Symbol.asyncDispose]());

  /** Every row can be read with the keys in production: what the running pods have, whatever became of the rotation. */
  async function assertReadable(): Promise<void> {
    const keys = Object.values(await pod.production()).map(decoded);
    for (const row of await pod.rows()) assert.ok(keys.includes(row), 'a row is encrypted with a key that is lost');
  }

  test('rotates, migrates every credential to the new primary key, and stages what the operator takes', async () => {
    const { code, stdout, stderr } = await pod.runContainer();
    assert.equal(code, 0, stderr);
    assert.deepEqual(commandsIn(stderr), ['credential_rotate', 'credential_migrate']);
    assert.equal(stdout, 'Credential keys staging Secret updated successfully\n');
    assert.equal(await rejection(pod), undefined);
    await assertReadable();
    const { data = {} } = await pod.staging();
    assert.deepEqual(await pod.rows(), [decoded(data['3'] ?? ''), decoded(data['3'] ?? '')]);
  });

  for (const command of ['credential_rotate', 'credential_migrate']) {
    test(`rotates once when its container is killed after ${command}`, async () => {
      assert.equal((await pod.runContainer({ CRASH_AFTER: command })).code, 137);
      await assertReadable();
      const { code, stderr } = await pod.runContainer();
      assert.deepEqual([code, commandsIn(stderr)], [0, ['credential_migrate']]);
      await assertReadable();
      assert.equal(await rejection(pod), undefined);
    });
  }

  test('rotates once when the migration fails at first', async () => {
    assert.equal((await pod.runContainer({ FAIL: 'credential_migrate' })).code, 7);
    const { code, stderr } = await pod.runContainer();
    assert.deepEqual([code, commandsIn(stderr)], [0, ['credential_migrate']]);
    await assertReadable();
    assert.equal(await rejection(pod), undefined);
  });

  test('migrates back and rotates when an earlier pod was lost before it could stage its keys', async () => {
    assert.equal((await pod.runContainer({ SECRET_NAME: 'nowhere' })).code, 1);
    await assertReadable();
    await pod.startPod();
    const { code, stderr } = await pod.runContainer();
    assert.equal(code, 0, stderr);
    const retried = ['credential_rotate', 'credential_migrate', 'credential_rotate', 'credential_migrate'];
    assert.deepEqual(commandsIn(stderr), retried);
    await assertReadable();
    assert.equal(await rejection(pod), undefined);
  });

  test('migrates nothing when the rotation was interrupted half-way', async () => {
    assert.equal((await pod.runContainer({ FAIL: 'half' })).code, 3);
    const { code, stderr } = await pod.runContainer();
    assert.deepEqual([code, commandsIn(stderr)], [1, []]);
    await assertReadable();
    assert.equal((await pod.staging()).data, undefined);
  });
});
