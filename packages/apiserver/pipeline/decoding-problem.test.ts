// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, HorizontalPodAutoscaler, Lease, Pod } from '@forge/kube/builtin.ts';
import type { Kind } from '@forge/kube/kind.ts';
import { decodingProblem } from './decoding-problem.ts';

function problem(kind: Kind, content: object): string | undefined {
  return decodingProblem({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'a' }, ...content }, kind);
}

function found(place: string, type: string, what = 'string'): string {
  return `json: cannot unmarshal ${what} into Go struct field ${place} of type ${type}`;
}

test('a field of another type is told with its struct, its way and the type it should have', () => {
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
  const second = { spec: { containers: [{ ports: [{ containerPort: 1 }] }, { stdin: 1 }] } };
  assert.equal(problem(Pod, second), found('Container.spec.containers.stdin', 'bool', 'number'));
});

test('numbers must fit, bytes and times be readable', () => {
  assert.match(problem(Pod, { spec: { priority: 2 ** 31 } }) ?? '', /of type int32$/);
  assert.equal(problem(Pod, { spec: { terminationGracePeriodSeconds: 2 ** 31 } }), undefined);
  assert.equal(problem(ConfigMap, { binaryData: { a: 'YQ==' } }), undefined);
  assert.equal(problem(ConfigMap, { binaryData: { a: 'YQ' } }), 'illegal base64 data at input byte 0');
  assert.equal(problem(Lease, { spec: { renewTime: '2020-01-01T00:00:00.000001+02:00' } }), undefined);
  assert.match(problem(Lease, { spec: { renewTime: '2020-01-01T00:00:00Z' } }) ?? '', /cannot parse "Z" as ".000000"$/);
});
