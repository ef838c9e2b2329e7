// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodSpec } from '@forge/kube/generated/types.ts';
import type { Keystone } from '../../api/keystone.ts';
import { selectorLabels } from '../../api/names.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { rotationAccess } from './access.ts';
import { rotationCronJob } from './cron-job.ts';
import { rotationScripts } from './scripts.ts';

const inputs = { configMap: 'identity-config-1', scripts: 'identity-fernet-rotate-script-2' };
const cronJob = (keystone: Keystone = keystoneFixture(), keyType: 'fernet' | 'credential' = 'fernet') =>
  rotationCronJob(keystone, keyType, inputs);
const podOf = (...args: Parameters<typeof cronJob>): PodSpec => {
  const pod = cronJob(...args).spec.jobTemplate.spec?.template.spec;
  assert.ok(pod !== undefined);
  return pod;
};

const images = (keystone: Keystone) =>
  [...(podOf(keystone).initContainers ?? []), ...podOf(keystone).containers].map(({ image }) => image);

describe('the CronJob that rotates keys', () => {
  test('runs on its schedule, one at a time, for an hour at most', () => {
    const fernet = { rotationSchedule: '0 3 * * *', suspend: false, maxActiveKeys: 5 };
    const { metadata, spec } = cronJob(keystoneFixture({ fernet }));
    assert.equal(metadata.name, 'identity-fernet-rotate');
    assert.deepEqual([spec.schedule, spec.concurrencyPolicy], ['0 3 * * *', 'Forbid']);
    assert.equal(spec.jobTemplate.spec?.activeDeadlineSeconds, 3600);
    assert.equal(cronJob(keystoneFixture(), 'credential').spec.schedule, '0 0 * * 0');
  });

  test('runs the image of the installed release, of the tag while nothing is installed', () => {
    const keystone = keystoneFixture();
    assert.deepEqual(images(keystone), ['c5c3/keystone:2025.2', 'c5c3/keystone:2025.2']);
    const upgrading = { ...keystone, status: { installedRelease: '2025.1', targetRelease: '2025.2' } };
    assert.deepEqual(images(upgrading), ['c5c3/keystone:2025.1', 'c5c3/keystone:2025.1']);
  });

  test('tells oslo.config in upper case how many keys to keep, and retries the database for a while only', () => {
    const fernet = { rotationSchedule: '0 3 * * *', suspend: false, maxActiveKeys: 5 };
    const env = podOf(keystoneFixture({ fernet })).containers[0]?.env?.map(({ name, value }) => [name, value]);
    assert.deepEqual(env, [
      ['SECRET_NAME', 'identity-fernet-keys-rotation'],
      ['SECRET_NAMESPACE', undefined],
      ['OS_fernet_tokens__max_active_keys', '5'],
      ['OS_FERNET_TOKENS__MAX_ACTIVE_KEYS', '5'],
      ['OS_DATABASE__CONNECTION', undefined],
      ['OS_DATABASE__CONNECTION_PARAMETERS', undefined],
      ['OS_DATABASE__MAX_RETRIES', '6'],
      ['OS_DATABASE__RETRY_INTERVAL', '5'],
    ]);
    const credential = podOf(keystoneFixture(), 'credential').containers[0]?.env?.map(({ name }) => name);
    assert.ok(credential?.includes('OS_credential__max_active_keys'));
    assert.ok(credential?.includes('OS_CREDENTIAL__MAX_ACTIVE_KEYS'));
  });

  test('works on a copy of the keys that an init container makes, beside the other keys and the configuration', () => {
    const { initContainers, containers, volumes, restartPolicy, securityContext, serviceAccountName } = podOf();
    assert.deepEqual(initContainers?.[0]?.command, [
      'sh',
      '-c',
      'rm -rf /etc/keystone/fernet-keys/* /etc/keystone/fernet-keys/.[!.]*; ' +
        'install -m 0400 /fernet-keys-src/* /etc/keystone/fernet-keys/',
    ]);
    assert.deepEqual(containers[0]?.command, ['/scripts/fernet_rotate.sh']);
    assert.deepEqual(
      containers[0].volumeMounts?.map(({ mountPath, readOnly }) => `${mountPath} ${readOnly === true ? 'ro' : 'rw'}`),
      [
        '/etc/keystone/fernet-keys rw',
        '/etc/keystone/credential-keys/ ro',
        '/etc/keystone/keystone.conf.d/ ro',
        '/scripts ro',
      ],
    );
    assert.deepEqual(volumes, [
      { name: 'fernet-keys-src', secret: { secretName: 'identity-fernet-keys', defaultMode: 0o400 } },
      { name: 'fernet-keys', emptyDir: {} },
      { name: 'credential-keys', secret: { secretName: 'identity-credential-keys', defaultMode: 0o400 } },
      { name: 'config', configMap: { name: inputs.configMap } },
      { name: 'scripts', configMap: { name: inputs.scripts, defaultMode: 0o555 } },
    ]);
    assert.deepEqual([restartPolicy, securityContext?.fsGroup], ['OnFailure', 42424]);
    assert.equal(serviceAccountName, 'identity-fernet-rotate');
    for (const each of [...initContainers, ...containers]) assert.ok(each.securityContext?.readOnlyRootFilesystem);
  });

  test('has pods that no Service, budget or policy of the API selects, of the wanted priority', () => {
    const labels = cronJob().spec.jobTemplate.spec?.template.metadata?.labels ?? {};
    const selects = Object.entries(selectorLabels(keystoneFixture())).every(([name, value]) => labels[name] === value);
    assert.equal(selects, false);
    assert.equal(podOf(keystoneFixture({ priorityClassName: 'high' })).priorityClassName, 'high');
  });
});

test('a rotation Job may read its two Secrets, and write the staging one only', () => {
  const [account, role, binding] = rotationAccess(keystoneFixture(), 'credential');
  const name = 'identity-credential-rotate';
  assert.deepEqual([account.metadata.name, role.metadata.name, binding.metadata.name], [name, name, name]);
  assert.deepEqual(role.rules, [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['identity-credential-keys'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      verbs: ['get', 'patch'],
      resourceNames: ['identity-credential-keys-rotation'],
    },
  ]);
  assert.deepEqual(binding.subjects, [{ kind: 'ServiceAccount', name, namespace: 'openstack' }]);
  assert.deepEqual(binding.roleRef, { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name });
});

test('the scripts of a rotation are named as its command is, and call no shell feature that needs a writable /tmp', () => {
  for (const keyType of ['fernet', 'credential'] as const) {
    const files = rotationScripts(keyType);
    assert.deepEqual(Object.keys(files), [`${keyType}_rotate.sh`, 'rotation.sh', 'stage_keys.py']);
    assert.ok(!Object.values(files).some((text) => text.includes('<<')));
  }
});
