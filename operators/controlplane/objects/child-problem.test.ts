// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childProblem } from './child-problem.ts';

const child = (...conditions: [type: string, status: 'True' | 'False' | 'Unknown'][]) => ({
  apiVersion: 'v1',
  kind: 'Child',
  metadata: { name: 'child' },
  status: { conditions: conditions.map(([type, status]) => ({ type, status, message: `about ${type}` })) },
});

test('what a Keystone does not count for its own Ready is no problem of it', () => {
  const type = 'LoggingHealthy';
  assert.equal(
    childProblem(child([type, 'False'], ['DeploymentReady', 'False'])),
    'DeploymentReady: about DeploymentReady',
  );
  assert.equal(childProblem(child([type, 'False'], ['Ready', 'True'])), undefined);
});

test('the problem of a child is its first condition that is not True, Ready after all others', () => {
  assert.equal(childProblem(child(['Ready', 'False'], ['A', 'True'], ['B', 'False'], ['C', 'False'])), 'B: about B');
  assert.equal(childProblem(child(['A', 'Unknown'], ['Ready', 'False'])), 'A: about A');
  assert.equal(childProblem(child(['A', 'True'], ['Ready', 'False'])), 'Ready: about Ready');
  assert.equal(childProblem(child(['Ready', 'True'])), undefined);
  assert.equal(childProblem({ apiVersion: 'v1', kind: 'Child', metadata: { name: 'new' } }), undefined);
});
