// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { podField } from './pod-field.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: '1-2',
    labels: { 'app-tier': 'front', app: 'web' },
    annotations: { note: 'a "quoted"\\path\n\ttabs\u0001\u00a0ü' },
  },
  spec: { containers: [], nodeName: 'forge', serviceAccountName: 'seller' },
};

const fields = (...paths: string[]) => paths.map((path) => podField(pod, '10.244.0.2', path));

test('every field of the downward API has a value', () => {
  assert.deepEqual(fields('metadata.name', 'metadata.namespace', 'metadata.uid'), ['web', 'shop', '1-2']);
  assert.deepEqual(fields('spec.nodeName', 'spec.serviceAccountName'), ['forge', 'seller']);
  assert.deepEqual(fields('status.podIP', 'status.podIPs'), ['10.244.0.2', '10.244.0.2']);
  assert.deepEqual(fields('status.hostIP', 'status.hostIPs'), ['10.244.0.1', '10.244.0.1']);
  assert.deepEqual(fields("metadata.labels['app']", "metadata.annotations['none']"), ['web', '']);
});

test('all labels or annotations are lines ordered by name, with values quoted as in Go', () => {
  assert.deepEqual(fields('metadata.labels'), ['app="web"\napp-tier="front"']);
  assert.deepEqual(fields('metadata.annotations'), [String.raw`note="a \"quoted\"\\path\n\ttabs\x01\u00a0ü"`]);
});
