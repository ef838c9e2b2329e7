// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod, Service } from './builtin.ts';
import { canonical } from './canonical.ts';

const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };

test('nulls and optional empty lists and maps go, structs and required lists are always there', () => {
  const pod = {
    ...object,
    metadata: { name: 'web', labels: {}, annotations: null },
    spec: {
      containers: [],
      nodeSelector: {},
      tolerations: [],
      securityContext: {},
      volumes: [{ name: 'v', emptyDir: {} }],
    },
  };
  const { metadata, spec } = canonical(pod as unknown as typeof object & { spec: object }, Pod.schema);
  assert.deepEqual(metadata, object.metadata);
  assert.deepEqual(spec, { containers: [], securityContext: {}, volumes: [{ name: 'v', emptyDir: {} }] });
});

test('quantities become canonical, other numbers and texts stay', () => {
  const limits = { cpu: 0.5, memory: '1024Mi', 'example.org/x': 'nonsense' };
  const pod = { ...object, spec: { containers: [{ name: '0.5', resources: { limits } }] } };
  assert.deepEqual(canonical(pod, Pod.schema).spec.containers, [
    { name: '0.5', resources: { limits: { cpu: '500m', memory: '1Gi', 'example.org/x': 'nonsense' } } },
  ]);
  const service = { ...object, spec: { ports: [{ port: 80, targetPort: 80 }] } };
  assert.equal(canonical(service, Service.schema).spec, service.spec);
});
