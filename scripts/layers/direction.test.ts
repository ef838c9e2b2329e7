// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directionProblems, mutualImports } from './direction.ts';
import type { Import } from './imports.ts';

const imported = (from: string, to: string): Import => ({ from, to, specifier: to });

describe('the direction of imports', () => {
  const refused = {
    'from a package that is not below': ['packages/kube/objects/json.ts', 'packages/runtime/http/attempt.ts'],
    'from an operator, whose kinds alone are shared': [
      'operators/controlplane/objects/keystone-child.ts',
      'operators/keystone/objects/secrets.ts',
    ],
    'from a package for tests': ['packages/runtime/cache/cache.ts', 'packages/testing/admission-cluster.ts'],
    'from a room above': ['packages/runtime/queue/queue.ts', 'packages/runtime/controller/workers.ts'],
    'from a folder of a room above': [
      'operators/keystone/objects/secrets.ts',
      'operators/keystone/steps/keys/claim.ts',
    ],
  } as const;
  for (const [name, [from, to]] of Object.entries(refused)) {
    test(`refuses an import ${name}`, () => {
      const [problem, ...others] = directionProblems([imported(from, to)]);
      assert.match(problem ?? '', new RegExp(`^${from} must not import ${to}: the (package|room) is`));
      assert.deepEqual(others, []);
    });
  }

  test('allows imports that point down, kinds of an operator that is used, and what tests need', () => {
    const allowed = [
      imported('packages/runtime/cache/cache.ts', 'packages/kube/client/client.ts'),
      imported('packages/runtime/controller/workers.ts', 'packages/runtime/queue/queue.ts'),
      imported('operators/controlplane/objects/keystone-child.ts', 'operators/keystone/api/keystone.ts'),
      imported('packages/runtime/cache/cache.test.ts', 'packages/testing/admission-cluster.ts'),
      imported('packages/runtime/queue/queue.test.ts', 'packages/runtime/controller/workers.ts'),
    ];
    assert.deepEqual(directionProblems(allowed), []);
  });

  test('refuses two folders that import each other, but for their tests', () => {
    const there = imported('operators/keystone/objects/jobs/job.ts', 'operators/keystone/objects/config/files.ts');
    const back = imported('operators/keystone/objects/config/rules.ts', 'operators/keystone/objects/jobs/job.ts');
    assert.equal(mutualImports([there, back]).length, 1);
    assert.deepEqual(mutualImports([there, { ...back, from: 'operators/keystone/objects/config/rules.test.ts' }]), []);
    assert.deepEqual(mutualImports([there]), []);
  });
});
