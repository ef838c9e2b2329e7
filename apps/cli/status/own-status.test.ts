// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { nodeStatus } from './component-status.ts';
import { ownStatus } from './own-status.ts';

const lastTransitionTime = '2026-01-01T00:00:00Z';
const ready = (status: 'True' | 'False', observedGeneration: number) => ({
  type: 'Ready',
  status,
  reason: 'AllReady',
  message: '',
  lastTransitionTime,
  observedGeneration,
});

const available = (...of: Parameters<typeof ready>) => ({ ...ready(...of), type: 'Available' });

function stateOf(observedGeneration: number, deletionTimestamp?: string): string {
  const { apiVersion, kind } = ControlPlane;
  const metadata = { name: 'cp', generation: 2, ...(deletionTimestamp !== undefined && { deletionTimestamp }) };
  const status = { conditions: [ready('True', observedGeneration)] };
  return ownStatus({ apiVersion, kind, metadata, status }).state;
}

function nodeState(...conditions: ReturnType<typeof ready>[]): string {
  return nodeStatus({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { conditions } }).state;
}

test('a resource is ok when it is ready for its current spec and not terminating', () => {
  assert.equal(stateOf(2), 'ok');
  assert.equal(stateOf(1), 'waiting');
  assert.equal(stateOf(2, lastTransitionTime), 'waiting');
});

test('a resource of a kind without Ready is ok when its conditions are as they should be, for its current spec', () => {
  const { apiVersion, kind } = OpenBaoCluster;
  const statusOf = (...conditions: ReturnType<typeof ready>[]) =>
    ownStatus({ apiVersion, kind, metadata: { name: 'bao', generation: 2 }, status: { conditions } });
  const shown = [
    statusOf(available('True', 2)),
    statusOf(available('True', 1)),
    statusOf(available('False', 2)),
    statusOf(),
  ];
  assert.deepEqual(
    shown.map(({ state, ready: is, message }) => [state, is, message]),
    [
      ['ok', 'True', 'All sub-resources are ready'],
      ['waiting', 'True', 'All sub-resources are ready'],
      ['failed', 'False', 'One or more sub-conditions are not ready'],
      ['waiting', 'Unknown', ''],
    ],
  );
});

test('a node that has not reported yet is waiting; one that reports that it is not ready has failed', () => {
  const states = [nodeState(), nodeState(ready('True', 1)), nodeState(ready('False', 1))];
  assert.deepEqual(states, ['waiting', 'ok', 'failed']);
});
