// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { plannedWrite } from './planned-write.ts';

const secret = (content: Partial<Secret>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', namespace: 'default' },
  ...content,
});

describe('a planned write of a Secret', () => {
  for (const field of ['data', 'stringData'] as const) {
    test(`names the keys of ${field} that it creates or changes, and never shows their values`, () => {
      const before = secret({ [field]: { password: 'hunter2', user: 'ann' } });
      const created = plannedWrite('Keys', undefined, before);
      const added = created?.diff.find(({ path }) => path === `/${field}`);
      assert.deepEqual(added, {
        op: 'add',
        path: `/${field}`,
        value: { password: '[redacted]', user: '[redacted]' },
      });
      const changed = plannedWrite('Keys', before, secret({ [field]: { password: 'hunter3', user: 'ann' } }));
      assert.deepEqual(changed?.diff, [{ op: 'replace', path: `/${field}/password`, value: '[redacted]' }]);
    });
  }
});
