// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connection, labels, mounted, restricted } from '../../test/expected-pods.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { apiDeployment, type ApiInputs } from './api-deployment.ts';
import { apiDisruptionBudget, apiService } from './api-service.ts';

const selector = { 'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': 'identity' };
const inputs: ApiInputs = {
  image: 'c5c3/keystone:2025.1',
  replicas: { count: 3, least: 3 },
  configMap: 'identity-config-1',
  connectionDigest: 'abc',
};
const { config, fernetKeys, credentialKeys } = mounted;
const spreadOver = (topologyKey: string) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: selector },
});
const budget = (rule: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'identity', labels },
  spec: { selector: { matchLabels: selector }, ...rule },
});
const podOf = (change: Parameters<typeof keystoneFixture>[0]) =>
  apiDeployment(keystoneFixture(change), inputs).spec?.template.spec;

describe('the objects of the API, as a whole:', () => {
  test('the Deployment', () => {
    const { spec, ...rest } = apiDeployment(keystoneFixture(), inputs);
    const { template, ...rollout } = spec ?? {};
    const { containers: [{ command, ...container } = { name: '' }, ...others] = [], ...pod } = template?.spec ?? {};
    assert.deepEqual(rest, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'identity', labels } });
    assert.deepEqual(rollout, {
      replicas: 3,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: selector },
    });
    assert.deepEqual(template?.metadata, { labels, annotations: { 'forge.c5c3.io/db-connection-hash': 'abc' } });
    assert.deepEqual(pod, {
      terminationGracePeriodSeconds: 30,
      topologySpreadConstraints: [spreadOver('topology.kubernetes.io/zone'), spreadOver('kubernetes.io/hostname')],
      securityContext: { fsGroup: 42424 },
      automountServiceAccountToken: false,
      volumes: [config.volume, fernetKeys.volume, credentialKeys.volume],
    });
    assert.deepEqual([command?.[0], others], ['uwsgi', []]);
    assert.deepEqual(container, {
      name: 'keystone',
      image: 'c5c3/keystone:2025.1',
      ports: [{ name: 'keystone', containerPort: 5000, protocol: 'TCP' }],
      env: [connection],
      livenessProbe: { tcpSocket: { port: 5000 }, initialDelaySeconds: 15, periodSeconds: 20 },
      readinessProbe: { httpGet: { path: '/v3', port: 5000 }, initialDelaySeconds: 5, periodSeconds: 10 },
      startupProbe: { httpGet: { path: '/v3', port: 5000 }, failureThreshold: 30, periodSeconds: 10 },
      lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'touch /dev/shm/draining; sleep 5'] } } },
      securityContext: restricted,
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [config.mount, fernetKeys.mount, credentialKeys.mount],
    });
  });

  test('what the user says of its pods', () => {
    const resources = { requests: { cpu: '1' }, limits: { memory: '1Gi' } };
    const pod = podOf({
      resources,
      priorityClassName: 'high',
      terminationGracePeriodSeconds: 90,
      preStopSleepSeconds: 0,
      topologySpreadConstraints: [{ ...spreadOver('rack'), whenUnsatisfiable: 'DoNotSchedule' }],
    });
    assert.deepEqual(pod?.containers[0]?.resources, resources);
    assert.deepEqual(pod.containers[0].lifecycle?.preStop?.exec?.command, [
      '/bin/sh',
      '-c',
      'touch /dev/shm/draining; sleep 0',
    ]);
    assert.equal(pod.priorityClassName, 'high');
    assert.equal(pod.terminationGracePeriodSeconds, 90);
    assert.deepEqual(pod.topologySpreadConstraints, [{ ...spreadOver('rack'), whenUnsatisfiable: 'DoNotSchedule' }]);
  });

  test('the keep-alive timeout in its command', () => {
    const uwsgi = { processes: 2, threads: 1, httpKeepAlive: true, httpKeepAliveTimeout: 5 };
    const command = podOf({ uwsgi })?.containers[0]?.command;
    assert.deepEqual(command?.slice(0, 6), [
      'uwsgi',
      '--http',
      ':5000',
      '--http-keepalive',
      '--http-keepalive-timeout',
      '5',
    ]);
  });

  test('the count that stays after autoscaling is remembered on the Deployment', () => {
    const { metadata } = apiDeployment(keystoneFixture(), { ...inputs, replicas: { count: 7, least: 7, kept: '7/3' } });
    assert.deepEqual(metadata.annotations, { 'forge.c5c3.io/replicas-kept': '7/3' });
  });

  test('the Service', () => {
    assert.deepEqual(apiService(keystoneFixture()), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'identity', labels },
      spec: { selector, ports: [{ name: 'keystone', port: 5000, targetPort: 5000, protocol: 'TCP' }] },
    });
  });

  test('the disruption budget of one pod, and of two', () => {
    assert.deepEqual(apiDisruptionBudget(keystoneFixture(), { least: 1 }), budget({ maxUnavailable: 1 }));
    assert.deepEqual(apiDisruptionBudget(keystoneFixture(), { least: 2 }), budget({ minAvailable: 1 }));
  });
});
