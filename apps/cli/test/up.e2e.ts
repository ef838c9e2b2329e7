// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { hostState, kubectl, startForge, withDataFolder } from './forge-process.ts';

describe('forge up', () => {
  test('--check logs in to a real Keystone, stops, and reports the seconds of each phase', async () => {
    const before = await hostState();
    const { code, output } = await startForge('up', '--check').ended;
    assert.equal(code, 0, output);
    const last = JSON.parse(output.trim().split('\n').at(-1) ?? '') as { seconds: Record<string, number> };
    assert.deepEqual(Object.keys(last.seconds), [
      'up',
      'token',
      'wrongPassword',
      'validate',
      'createProject',
      'listProjects',
      'secretsFromOpenBao',
      'backupInOpenBao',
      'down',
    ]);
    assert.deepEqual(await hostState(), before);
  });

  test('serves kubectl, rejects a second process, shows its status, and stops on request', () =>
    withDataFolder(async (dir) => {
      const before = await hostState();
      const forge = startForge('up', '--data', dir);
      await forge.waitForOutput('Keystone is ready at');
      assert.equal((await stat(dir)).mode & 0o777, 0o700);

      const second = await startForge('up', '--data', dir).ended;
      assert.equal(second.code, 4);
      assert.match(second.output, new RegExp(`process ${forge.pid}\\) is already running on ${dir}`));

      const listed = await kubectl(dir, 'get', 'keystone,deploy,pods,jobs', '-A');
      assert.match(
        listed,
        /keystone\.keystone\.openstack\.c5c3\.io\/keystone +True +http:\/\/keystone\.openstack\.svc/,
      );
      assert.match(listed, /forge-system +deployment\.apps\/keystone-operator +1\/1/);
      const secrets = await kubectl(dir, '-n', 'openstack', 'get', 'externalsecrets,pushsecrets,mariadb');
      assert.match(secrets, /externalsecret\.external-secrets\.io\/keystone-db .*SecretSynced +True/);
      assert.match(secrets, /mariadb\.k8s\.mariadb\.com\/mariadb .*True/);
      assert.match(listed, /job\.batch\/keystone-bootstrap +Complete/);
      assert.match(await kubectl(dir, '-n', 'openstack', 'logs', 'deploy/keystone'), /GET \/v3 => generated/);

      const status = await startForge('status', '--data', dir).ended;
      assert.equal(status.code, 0, status.output);
      assert.match(status.output, /✔ +keystone-operator +1 of 1 pods ready/);
      assert.match(status.output, /✔ Keystone openstack\/keystone: All sub-resources are ready/);
      assert.match(status.output, new RegExp(`forge +${dir}/logs/forge.log`));

      const down = await startForge('down', '--data', dir).ended;
      assert.equal(down.code, 0, down.output);
      assert.equal((await forge.ended).code, 0);
      assert.deepEqual(await hostState(), before);
    }));

  test('waits for operators of others that are to take the place of stand-ins, and says for which', () =>
    withDataFolder(async (dir) => {
      const forge = startForge('up', '--data', dir, '--without-stand-ins=memcached-operator');
      await forge.waitForOutput(
        'waits for CustomResourceDefinition memcacheds.memcached.c5c3.io: install its operator',
      );
      forge.kill('SIGTERM');
      const { code, output } = await forge.ended;
      assert.equal(code, 0, output);
    }));

  test('status reports that nothing runs, and how to start it', () =>
    withDataFolder(async (dir) => {
      const { code, output } = await startForge('status', '--data', dir).ended;
      assert.equal(code, 1);
      assert.match(output, new RegExp(`No forge is running on ${dir}. Start it with: .*forge.mjs.* up --data`));
    }));

  test('down reports that nothing runs', () =>
    withDataFolder(async (dir) => {
      const { code, output } = await startForge('down', '--data', dir).ended;
      assert.equal(code, 1);
      assert.match(output, new RegExp(`No forge is running on ${dir}`));
    }));
});
