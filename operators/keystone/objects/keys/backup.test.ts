// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { backupPredicate, backupPushSecret } from './backup.ts';

const production = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' } } as const;

function backup(metadata: object = {}, status?: object): PushSecret {
  const made = backupPushSecret(keystoneFixture(), 'fernet', { store: 'store', production });
  return { ...made, metadata: { ...made.metadata, ...metadata }, ...(status && { status }) };
}

describe('a change of a backup', () => {
  const changes: Record<string, object> = {
    'its spec': { generation: 2 },
    'its labels': { labels: {} },
    'the stamp of its content': { annotations: {} },
    'its owner': { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] },
    'its finalizers': { finalizers: ['a.example.com/b'] },
    'its deletion': { deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  for (const [what, metadata] of Object.entries(changes)) {
    test(`matters when it is one of ${what}`, () => {
      assert.ok(backupPredicate({ before: backup(), after: backup(metadata) }));
    });
  }

  test('matters when the backup appears or vanishes', () => {
    assert.ok(backupPredicate({ before: undefined, after: backup() }));
    assert.ok(backupPredicate({ before: backup(), after: undefined }));
  });

  test('does not matter when it is one of its status', () => {
    const synced = backup({ resourceVersion: '2' }, { conditions: [] });
    assert.ok(!backupPredicate({ before: backup({ resourceVersion: '1' }), after: synced }));
  });
});
