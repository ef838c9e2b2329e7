// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, HorizontalPodAutoscaler, Lease, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { decodeTyped, type Decoded } from './decode-typed.ts';

function decoded(kind: Kind, content: object): Decoded & { object: { spec?: unknown } } {
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'a' }, ...content };
  return decodeTyped(object, kind, kind.schema);
}

function problem(kind: Kind, content: object): string | undefined {
  return decoded(kind, content).problem;
}

function found(place: string, type: string, what = 'string'): string {
  return `json: cannot unmarshal ${what} into Go struct field ${place} of type ${type}`;
}

test('nulls and optional empty lists and maps are dropped, structs and required lists are always present', () => {
  const spec = {
    containers: [],
    nodeSelector: {},
    tolerations: [],
    securityContext: {},
    volumes: [{ name: 'v', emptyDir: {} }],
  };
  const { object } = decoded(Pod, { metadata: { name: 'a', labels: {}, annotations: null }, spec });
  assert.deepEqual(object.metadata, { name: 'a' });
  assert.deepEqual(object.spec, { containers: [], securityContext: {}, volumes: [{ name: 'v', emptyDir: {} }] });
});

test('unknown fields are dropped and reported with their path; maps accept any key', () => {
  const containers = [
    { name: 'a', image: 'i', resources: {} },
    { name: 'b', imge: 'i', resources: {} },
  ];
  const metadata = { name: 'a', labels: { any: 'key' }, colour: 'red' };
  const { object, dropped } = decoded(Pod, { metadata, spec: { containers, x: 1 } });
  assert.deepEqual(dropped, ['metadata.colour', 'spec.containers[1].imge', 'spec.x']);
  assert.deepEqual(object.metadata, { name: 'a', labels: { any: 'key' } });
  assert.deepEqual(object.spec, { containers: [containers[0], { name: 'b', resources: {} }] });
});

test('schema defaults are applied', () => {
  const spec = { ports: [{ port: 80, targetPort: 80 }] };
  assert.deepEqual(decoded(Service, { spec }).object.spec, { ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] });
});

test('quantities become canonical, other numbers and strings are kept', () => {
  const limits = { cpu: 0.5, memory: '1024Mi' };
  assert.deepEqual(decoded(Pod, { spec: { containers: [{ name: '0.5', resources: { limits } }] } }).object.spec, {
    containers: [{ name: '0.5', resources: { limits: { cpu: '500m', memory: '1Gi' } } }],
  });
  const spec = { ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }] };
  assert.equal(decoded(Service, { spec }).object.spec, spec);
});

test('a field of the wrong type is reported with its struct, path and expected type', () => {
  assert.equal(problem(Pod, { spec: { volumes: 'all' } }), found('PodSpec.spec.volumes', '[]v1.Volume'));
  assert.equal(problem(Pod, { spec: 'all' }), found('Pod.spec', 'v1.PodSpec'));
  assert.equal(problem(Pod, { spec: { nodeSelector: 'a' } }), found('PodSpec.spec.nodeSelector', 'map[string]string'));
  assert.equal(
    problem(Pod, { spec: { nodeSelector: { a: 1 } } }),
    found('PodSpec.spec.nodeSelector', 'string', 'number'),
  );
  assert.equal(
    problem(HorizontalPodAutoscaler, { spec: { metrics: [true] } }),
    found('HorizontalPodAutoscalerSpec.spec.metrics', 'v2.MetricSpec', 'bool'),
  );
  const second = { spec: { containers: [{ ports: [{ containerPort: 1 }] }, { stdin: 1 }, { tty: 1 }] } };
  assert.equal(problem(Pod, second), found('Container.spec.containers.stdin', 'bool', 'number'));
});

test('numbers must fit, and quantities, bytes and times must be valid', () => {
  assert.match(problem(Pod, { spec: { priority: 2 ** 31 } }) ?? '', /of type int32$/);
  assert.equal(problem(Pod, { spec: { terminationGracePeriodSeconds: 2 ** 31 } }), undefined);
  assert.match(problem(Pod, { spec: { overhead: { cpu: 'nonsense' } } }) ?? '', /^quantities must match/);
  assert.equal(problem(ConfigMap, { binaryData: { a: 'YQ==' } }), undefined);
  assert.equal(problem(ConfigMap, { binaryData: { a: 'YQ' } }), 'illegal base64 data at input byte 0');
  assert.equal(problem(Lease, { spec: { renewTime: '2020-01-01T00:00:00.000001+02:00' } }), undefined);
  assert.match(problem(Lease, { spec: { renewTime: '2020-01-01T00:00:00Z' } }) ?? '', /cannot parse "Z" as ".000000"$/);
});

test('the first hundred unknown fields are reported', () => {
  const unknown = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, 1]));
  const { dropped } = decoded(ConfigMap, unknown);
  assert.deepEqual([dropped.length, dropped.at(-1)], [100, 'a99']);
});
