// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { apiAutoscaler } from './autoscaler.ts';

const metric = (name: string, averageUtilization: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});

describe('the autoscaler', () => {
  test('scales the Deployment between spec.replicas and the greatest number by default', () => {
    const { metadata, spec } = apiAutoscaler(keystoneFixture(), { maxReplicas: 9, targetCPUUtilization: 80 });
    assert.equal(metadata.name, 'identity');
    assert.equal(metadata.labels?.['app.kubernetes.io/managed-by'], 'keystone-operator');
    assert.deepEqual(spec, {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'identity' },
      minReplicas: 3,
      maxReplicas: 9,
      metrics: [metric('cpu', 80)],
    });
  });

  test('has its own least number, and a metric for each target', () => {
    const targets = { targetCPUUtilization: 80, targetMemoryUtilization: 70 };
    const { spec } = apiAutoscaler(keystoneFixture(), { minReplicas: 1, maxReplicas: 9, ...targets });
    assert.equal(spec.minReplicas, 1);
    assert.deepEqual(spec.metrics, [metric('cpu', 80), metric('memory', 70)]);
  });
});
