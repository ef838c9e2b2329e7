// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import { db } from '../test/manifests.ts';
import { noon, pod, readyAt } from '../test/pods.ts';
import { nextActions, type Action } from './next-actions.ts';

/** The largest number that the field takes. */
const replicas = 2 ** 31 - 1;

/** The next actions with these pods, all ready, as `create 0` and `delete db-0`. */
function actionsOf(spec: Partial<StatefulSetSpec>, ordinals: readonly number[], revision = 'new'): string[] {
  const labels = { 'controller-revision-hash': revision, 'statefulset.kubernetes.io/pod-name': '' };
  const pods = ordinals.map((ordinal) => {
    const name = `db-${ordinal}`;
    const each = pod(name, { labels: { ...labels, 'statefulset.kubernetes.io/pod-name': name } }, readyAt(0));
    return { ...each, status: { ...each.status, phase: 'Running' } };
  });
  const situation = { now: noon + 60_000, updateRevision: 'new', claimOf: () => undefined };
  return nextActions(db('v1', spec), pods, situation).flat(2).map(text);
}

function text(action: Action): string {
  return action.type === 'create' ? `create ${action.ordinal}` : `${action.type} ${action.pod.metadata.name}`;
}

describe('a StatefulSet with as many replicas as the field takes', () => {
  test('creates its first missing pod', () => {
    assert.deepEqual(actionsOf({ replicas }, []), ['create 0']);
    assert.deepEqual(actionsOf({ replicas }, [0, 1, 3]), ['create 2']);
    assert.deepEqual(actionsOf({ replicas, ordinals: { start: 7 } }, [7]), ['create 8']);
  });

  test('creates 500 missing pods at a time when they are managed in parallel', () => {
    const actions = actionsOf({ replicas, podManagementPolicy: 'Parallel' }, [1]);
    assert.equal(actions.length, 500);
    assert.deepEqual([actions[0], actions[1], actions.at(-1)], ['create 0', 'create 2', 'create 500']);
  });

  test('replaces no outdated pod before the missing ones exist', () => {
    const actions = actionsOf({ replicas, podManagementPolicy: 'Parallel' }, [0], 'old');
    assert.ok(actions.every((each) => each.startsWith('create ')));
  });
});

describe('a StatefulSet whose first ordinal changes', () => {
  test('deletes the pods before it and after its last', () => {
    const spec = { replicas: 2, ordinals: { start: 1 }, podManagementPolicy: 'Parallel' };
    assert.deepEqual(actionsOf(spec, [0, 1, 2, 3]), ['condemn db-3', 'condemn db-0', 'delete db-3', 'delete db-0']);
  });
});
