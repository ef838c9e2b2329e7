// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerRevision, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

const revision = (name: string): ControllerRevision => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name },
  revision: 1,
});

const revisions = { current: revision('db-old'), update: revision('db-new'), collisions: 0 };

const set: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: { replicas: 2, selector: {}, serviceName: '', template: {} },
};

function podOf(ordinal: number, isTerminating = false): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `db-${ordinal}`,
      labels: { 'controller-revision-hash': 'db-new' },
      ...(isTerminating && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isTerminating ? 'False' : 'True' }] },
  };
}

const currentOf = (pods: readonly Pod[]) => statefulSetStatus(set, pods, revisions, 0).currentRevision;

test('a rollout is complete when no pod beyond the replicas is left, also none that is terminating', () => {
  assert.equal(currentOf([podOf(0), podOf(1), podOf(2, true)]), 'db-old');
  assert.equal(currentOf([podOf(0), podOf(1)]), 'db-new');
});
