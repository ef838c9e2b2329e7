// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '../kinds/builtin.ts';
import { applyErrors } from './apply-errors.ts';

function problems(spec: unknown): string[] {
  return applyErrors(
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec } as never,
    Deployment.schema,
  );
}

const containing = (container: object): object => ({
  template: { spec: { containers: [{ name: 'main', ...container }] } },
});
const main = '.spec.template.spec.containers[name="main"]';

test('errors of an apply have their path and the server’s wording', () => {
  const cases: [unknown, string][] = [
    [{ replicas: '3' }, '.spec.replicas: expected numeric (int or float), got string'],
    [{ replicas: [1] }, '.spec.replicas: expected numeric (int or float), got []interface {}'],
    [{ colour: 'red' }, '.spec.colour: field not declared in schema'],
    [{ paused: 'x' }, '.spec.paused: expected boolean, got &{x}'],
    [[], '.spec: expected map, got &{[]}'],
    [containing({ image: 1 }), `${main}.image: expected string, got &value.valueUnstructured{Value:1}`],
    [containing({ env: { b: 2, a: 1 } }), `${main}.env: expected list, got &{map[a:1 b:2]}`],
    [containing({ args: ['a', 1] }), `${main}.args[1]: expected string, got &value.valueUnstructured{Value:1}`],
    [containing({ env: [{ name: 'A' }, { name: 'A' }] }), `${main}.env: duplicate entries for key [name="A"]`],
    [
      containing({ ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] }),
      `${main}.ports: duplicate entries for key [containerPort=1,protocol="TCP"]`,
    ],
  ];
  for (const [spec, expected] of cases) assert.deepEqual(problems(spec), [expected]);
});

test('nulls, quantities and int-or-string values can be applied', () => {
  assert.deepEqual(
    problems({ replicas: null, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } }),
    [],
  );
  assert.deepEqual(problems(containing({ resources: { limits: { cpu: 0.5, memory: '1Gi' } } })), []);
});
