// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { doorProblems } from './doors.ts';

const from = 'packages/runtime/cache/cache.ts';
const client = 'packages/kube/client/client.ts';

describe('the doors of packages', () => {
  const byPath = doorProblems([{ from, to: client, specifier: '../../kube/client/client.ts' }]);
  const byName = doorProblems([{ from, to: client, specifier: '@forge/kube/client/client.ts' }]);

  test('refuse an import by a relative path', () => {
    const problem = `${from} imports ${client} by a relative path: use the name of its package`;
    assert.ok(byPath.includes(problem));
    assert.ok(!byName.includes(problem));
  });

  test('are refused when no other package uses them', () => {
    assert.ok(byName.includes('packages/kube/package.json exports regex/regex.ts, which no other package imports'));
  });

  test('are refused when others need one file of a whole room', () => {
    const problem = `packages/kube/package.json exports client/*.ts, but others import only ${client}: name what they need`;
    assert.ok(byName.includes(problem));
  });
});
