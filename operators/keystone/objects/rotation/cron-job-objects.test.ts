// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CronJob } from '@forge/kube/kinds/builtin.ts';
import { jobConnection, jobLabels, labels, mounted, restricted } from '../../test/expected-pods.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { trustFlushCronJob } from '../trust-flush.ts';
import { rotationAccess } from './access.ts';
import { rotationCronJob } from './cron-job.ts';

const keystone = keystoneFixture({
  priorityClassName: 'high',
  fernet: { rotationSchedule: '0 3 * * *', suspend: true, maxActiveKeys: 5 },
});
const image = 'c5c3/keystone:2025.2';
const { config, fernetKeys, credentialKeys } = mounted;

/** The CronJob that the specification asks for: what all have in common, and these parts. */
const expected = (component: string, schedule: object, pod: object): CronJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: `identity-${component}`, labels },
    spec: {
      ...schedule,
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          activeDeadlineSeconds: 3600,
          template: {
            metadata: { labels: jobLabels(component) },
            spec: {
              restartPolicy: 'OnFailure',
              priorityClassName: 'high',
              securityContext: { fsGroup: 42424 },
              ...pod,
            },
          },
        },
      },
    },
  }) as unknown as CronJob;

describe('the CronJobs, as a whole:', () => {
  for (const [keyType, section, schedule, count, other] of [
    ['fernet', 'fernet_tokens', '0 3 * * *', '5', credentialKeys],
    ['credential', 'credential', '0 0 * * 0', '3', fernetKeys],
  ] as const) {
    test(`the rotation of ${keyType} keys`, () => {
      const working = { name: `${keyType}-keys`, mountPath: `/etc/keystone/${keyType}-keys` };
      const source = `${keyType}-keys-src`;
      const copy =
        `rm -rf ${working.mountPath}/* ${working.mountPath}/.[!.]*; ` +
        `install -m 0400 /${source}/* ${working.mountPath}/`;
      const pod = {
        serviceAccountName: `identity-${keyType}-rotate`,
        initContainers: [
          {
            name: 'copy-keys',
            image,
            command: ['sh', '-c', copy],
            volumeMounts: [{ name: source, mountPath: `/${source}`, readOnly: true }, working],
            securityContext: restricted,
          },
        ],
        containers: [
          {
            name: `${keyType}-rotate`,
            image,
            command: [`/scripts/${keyType}_rotate.sh`],
            env: [
              { name: 'SECRET_NAME', value: `identity-${keyType}-keys-rotation` },
              {
                name: 'SECRET_NAMESPACE',
                valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
              },
              { name: `OS_${section}__max_active_keys`, value: count },
              { name: `OS_${section.toUpperCase()}__MAX_ACTIVE_KEYS`, value: count },
              ...jobConnection,
            ],
            volumeMounts: [
              working,
              other.mount,
              config.mount,
              { name: 'scripts', mountPath: '/scripts', readOnly: true },
            ],
            securityContext: restricted,
          },
        ],
        volumes: [
          { name: source, secret: { secretName: `identity-${keyType}-keys`, defaultMode: 0o400 } },
          { name: working.name, emptyDir: {} },
          other.volume,
          config.volume,
          { name: 'scripts', configMap: { name: 'scripts-1', defaultMode: 0o555 } },
        ],
      };
      const inputs = { configMap: 'identity-config-1', scripts: 'scripts-1' };
      const suspend = keyType === 'fernet';
      assert.deepEqual(
        rotationCronJob(keystone, keyType, inputs),
        expected(`${keyType}-rotate`, { schedule, suspend }, pod),
      );
    });
  }

  test('the purge of trusts, of the image that serves', () => {
    const flush = { schedule: '30 2 * * 0', suspend: true };
    const serving = { configMap: 'identity-config-1', image: 'c5c3/keystone:2025.1' };
    const pod = {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'trust-flush',
          image: 'c5c3/keystone:2025.1',
          command: ['keystone-manage', '--config-dir=/etc/keystone/keystone.conf.d/', 'trust_flush'],
          env: jobConnection,
          securityContext: restricted,
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: [config.mount, fernetKeys.mount, credentialKeys.mount],
        },
      ],
      volumes: [config.volume, fernetKeys.volume, credentialKeys.volume],
    };
    assert.deepEqual(trustFlushCronJob(keystone, flush, serving), expected('trust-flush', flush, pod));
  });
});

test('the account of a rotation, its Role and its binding carry the labels of the Keystone', () => {
  for (const { metadata } of rotationAccess(keystone, 'fernet')) {
    assert.deepEqual(metadata, { name: 'identity-fernet-rotate', labels });
  }
});
