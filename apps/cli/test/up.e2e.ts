// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { hostState, kubectl, startForge, withDataFolder } from './forge-process.ts';

/** The seconds of each phase of a successful check. */
async function checked(...args: string[]): Promise<Record<string, number>> {
  const before = await hostState();
  const { code, output } = await startForge('up', '--check', ...args).ended;
  assert.equal(code, 0, output);
  assert.deepEqual(await hostState(), before);
  return (JSON.parse(output.trim().split('\n').at(-1) ?? '') as { seconds: Record<string, number> }).seconds;
}

describe('forge up', () => {
  const uses = ['token', 'wrongPassword', 'validate', 'createProject', 'listProjects'];
  const secrets = ['secretsFromOpenBao', 'backupInOpenBao'];
  const rotation = ['credentialToken', 'catalog', 'rotation', 'oldCredential', 'newCredential'];

  test('--check uses a ControlPlane, rotates its credential, stops, and reports the seconds of each phase', async () => {
    assert.deepEqual(Object.keys(await checked()), ['up', ...uses, ...secrets, ...rotation, 'down']);
  });

  test('--only keystone --check uses a Keystone without a ControlPlane', async () => {
    assert.deepEqual(Object.keys(await checked('--only', 'keystone')), ['up', ...uses, ...secrets, 'down']);
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

      const listed = await kubectl(dir, 'get', 'controlplane,keystone,deploy,pods,jobs', '-A');
      assert.match(listed, /openstack +controlplane\.c5c3\.io\/controlplane +True +2025\.2/);
      assert.match(listed, /controlplane-keystone +True +http:\/\/controlplane-keystone\.openstack\.svc/);
      assert.match(listed, /forge-system +deployment\.apps\/keystone-operator +1\/1/);
      assert.match(listed, /forge-system +deployment\.apps\/c5c3-operator +1\/1/);
      const used = await kubectl(dir, '-n', 'openstack', 'get', 'externalsecrets,pushsecrets,mariadb,openstack');
      assert.match(used, /externalsecret\.external-secrets\.io\/k-orc-clouds-yaml .*SecretSynced +True/);
      assert.match(used, /mariadb\.k8s\.mariadb\.com\/openstack-db .*True/);
      assert.match(used, /applicationcredential\.openstack\.k-orc\.cloud\/controlplane-admin-app-credential .*True/);
      assert.match(listed, /job\.batch\/controlplane-keystone-bootstrap +Complete/);
      const log = await kubectl(dir, '-n', 'openstack', 'logs', 'deploy/controlplane-keystone');
      assert.match(log, /GET \/v3 => generated/);

      const status = await startForge('status', '--data', dir).ended;
      assert.equal(status.code, 0, status.output);
      assert.match(status.output, /✔ +keystone-operator +1 of 1 pods ready/);
      assert.match(status.output, /✔ +c5c3-operator +1 of 1 pods ready/);
      assert.match(status.output, /✔ ControlPlane openstack\/controlplane: All sub-conditions are ready/);
      assert.match(status.output, /✔ Keystone openstack\/controlplane-keystone: All sub-resources are ready/);

      const other = await startForge('up', '--only', 'nova').ended;
      assert.equal(other.code, 2, other.output);
      assert.match(status.output, new RegExp(`forge +${dir}/logs/forge.log`));

      assert.match(status.output, /^✔ Everything is ready\n/);
      await kubectl(dir, 'run', 'broken', '--image=example.org/none:1');
      const failed = await eventually('the image is not found', async () => {
        const { code, output } = await startForge('status', '--data', dir).ended;
        return code === 1 && output;
      });
      assert.match(
        failed,
        /^✖ 1 failed\n {2}✖ Pod default\/broken: container broken: (ErrImagePull|ImagePullBackOff): /,
      );

      const down = await startForge('down', '--data', dir).ended;
      assert.equal(down.code, 0, down.output);
      const { code, output } = await forge.ended;
      assert.equal(code, 0);
      assert.match(output, /└─ ✔ CatalogReady +after AdminCredentialReady, KORCReady +Service .*, Endpoint /);
      assert.deepEqual(await hostState(), before);

      const wrong = await startForge('up', '--only', 'keystone', '--data', dir).ended;
      assert.equal(wrong.code, 1);
      assert.match(wrong.output, /holds the demo of a ControlPlane\. Nothing was changed\. Start it without --only/);
    }));

  test('waits for operators that replace omitted stand-ins, and reports for which', () =>
    withDataFolder(async (dir) => {
      const forge = startForge('up', '--only=keystone', '--data', dir, '--without-stand-ins=memcached-operator');
      await forge.waitForOutput(
        'waits for CustomResourceDefinition memcacheds.memcached.c5c3.io: install its operator',
      );
      assert.match(await kubectl(dir, 'get', 'mariadb', '-A'), /openstack +mariadb/);
      forge.kill('SIGTERM');
      const { code, output } = await forge.ended;
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`✔ kubeconfig +${dir}/kubeconfig\\n[^]*waits for CustomResourceDefinition`));
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
