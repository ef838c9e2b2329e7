// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selectorLabels } from '../api/names.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { trustFlushCronJob } from './trust-flush.ts';

const inputs = { configMap: 'identity-config-1', image: 'c5c3/keystone:2025.1' };
const flush = { schedule: '30 2 * * 0', suspend: false };

describe('the purge of trusts', () => {
  const keystone = keystoneFixture({ priorityClassName: 'high' });
  const { metadata, spec } = trustFlushCronJob(keystone, { ...flush, args: ['--date', '2025-12-31'] }, inputs);
  const job = spec.jobTemplate.spec;
  const pod = job?.template.spec;

  test('runs on its schedule, one run at a time, none for ever', () => {
    assert.equal(metadata.name, 'identity-trust-flush');
    assert.deepEqual([spec.schedule, spec.suspend, spec.concurrencyPolicy], ['30 2 * * 0', false, 'Forbid']);
    assert.equal(job?.activeDeadlineSeconds, 3600);
    const suspended = trustFlushCronJob(keystone, { ...flush, suspend: true }, inputs);
    assert.equal(suspended.spec.suspend, true);
  });

  test('is one command with the arguments as it reads them, in a restricted container', () => {
    const [container, ...others] = pod?.containers ?? [];
    assert.deepEqual(others, []);
    assert.equal(container?.name, 'trust-flush');
    assert.equal(container.image, 'c5c3/keystone:2025.1');
    assert.deepEqual(container.command, [
      'keystone-manage',
      '--config-dir=/etc/keystone/keystone.conf.d/',
      'trust_flush',
      '--date',
      '31-12-2025',
    ]);
    assert.equal(container.securityContext?.readOnlyRootFilesystem, true);
    assert.deepEqual(
      container.volumeMounts?.map(({ mountPath, readOnly }) => [mountPath, readOnly]),
      [
        ['/etc/keystone/keystone.conf.d/', true],
        ['/etc/keystone/fernet-keys/', true],
        ['/etc/keystone/credential-keys/', true],
      ],
    );
    assert.ok(container.env?.some(({ name }) => name === 'OS_DATABASE__CONNECTION'));
    assert.ok(container.env?.some(({ name, value }) => name === 'OS_DATABASE__MAX_RETRIES' && value === '6'));
  });

  test('has pods that no Service selects, without a token, of the priority of the Keystone', () => {
    const labels = job?.template.metadata?.labels ?? {};
    assert.ok(Object.entries(selectorLabels(keystone)).some(([key, value]) => labels[key] !== value));
    assert.equal(pod?.automountServiceAccountToken, false);
    assert.equal(pod.restartPolicy, 'OnFailure');
    assert.equal(pod.priorityClassName, 'high');
  });
});
