// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { apiDeployment } from './api-deployment.ts';
import { apiDisruptionBudget, apiService } from './api-service.ts';

const inputs = {
  image: 'c5c3/keystone:2025.2',
  replicas: { count: 3, least: 3 },
  configMap: 'identity-config-1',
  connectionDigest: 'abc',
};
const templateOf = (connectionDigest: string) =>
  apiDeployment(keystoneFixture(), { ...inputs, connectionDigest }).spec?.template;
const spreadOf = (keystone = keystoneFixture()) =>
  apiDeployment(keystone, inputs).spec?.template.spec?.topologySpreadConstraints;
const containerOf = (keystone = keystoneFixture()) =>
  apiDeployment(keystone, inputs).spec?.template.spec?.containers[0];

describe('the API Deployment', () => {
  test('runs uWSGI with the specified command line', () => {
    assert.deepEqual(containerOf()?.command, [
      'uwsgi',
      '--http',
      ':5000',
      '--http-keepalive',
      '--log-master',
      '--log-format',
      '%(method) %(uri) => generated %(rsize) bytes in %(msecs) msecs (%(proto) %(status))',
      '--wsgi-file',
      '/var/lib/openstack/bin/keystone-wsgi-public',
      '--master',
      '--lazy-apps',
      '--need-app',
      '--processes',
      '2',
      '--threads',
      '1',
      '--pyargv=--config-dir=/etc/keystone/keystone.conf.d/',
      '--route-if',
      'exists:/dev/shm/draining addheader:Connection: close',
      '--hook-master-start',
      'unix_signal:15 gracefully_kill_them_all',
    ]);
  });

  test('passes the uWSGI settings on, and no keep-alive timeout without keep-alive', () => {
    const uwsgi = { processes: 4, threads: 2, httpKeepAlive: false, harakiri: 20, httpKeepAliveTimeout: 5 };
    const command = containerOf(keystoneFixture({ uwsgi }))?.command ?? [];
    assert.ok(!command.includes('--http-keepalive') && !command.includes('--http-keepalive-timeout'));
    assert.deepEqual(command.slice(command.indexOf('--processes'), command.indexOf('--processes') + 4), [
      '--processes',
      '4',
      '--threads',
      '2',
    ]);
    assert.equal(command[command.indexOf('--harakiri') + 1], '20');
    assert.deepEqual(command.slice(-4), containerOf()?.command?.slice(-4), 'it drains as with the defaults');
  });

  test('rolls when the database connection changes', () => {
    assert.notDeepEqual(templateOf('abc'), templateOf('def'));
  });

  test('never gives up a pod before its successor serves, unless told otherwise', () => {
    assert.deepEqual(apiDeployment(keystoneFixture(), inputs).spec?.strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    const strategy = { type: 'Recreate' } as const;
    assert.deepEqual(apiDeployment(keystoneFixture({ strategy }), inputs).spec?.strategy, strategy);
  });

  test('spreads pods over zones and nodes by default, and not at all when told so', () => {
    assert.deepEqual(
      spreadOf()?.map(({ topologyKey }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    );
    assert.deepEqual(spreadOf(keystoneFixture({ topologySpreadConstraints: [] })), []);
  });

  test('leaves the last lines of its log in the status of a pod that does not start', () => {
    assert.equal(containerOf()?.terminationMessagePolicy, 'FallbackToLogsOnError');
  });

  test('is restricted, and mounts configuration and keys read-only', () => {
    const container = containerOf();
    assert.ok(container);
    assert.equal(container.securityContext?.readOnlyRootFilesystem, true);
    assert.equal(container.securityContext.runAsUser, 42424);
    assert.ok(container.volumeMounts?.every(({ readOnly }) => readOnly === true));
  });
});

describe('beside it', () => {
  test('the Service selects the API pods on port 5000', () => {
    assert.deepEqual(apiService(keystoneFixture()).spec?.selector, {
      'app.kubernetes.io/name': 'keystone',
      'app.kubernetes.io/instance': 'identity',
    });
  });

  test('the budget keeps one of several pods, and lets a single one go', () => {
    assert.equal(apiDisruptionBudget(keystoneFixture(), { least: 3 }).spec?.minAvailable, 1);
    assert.equal(apiDisruptionBudget(keystoneFixture(), { least: 1 }).spec?.maxUnavailable, 1);
  });
});
