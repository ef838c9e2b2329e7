// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { nodeStatus } from './component-status.ts';
import { ownStatus } from './own-status.ts';
import { causeOf } from './summary.ts';

const lastTransitionTime = '2026-01-01T00:00:00Z';
const ready = (status: 'True' | 'False', observedGeneration: number) => ({
  type: 'Ready',
  status,
  reason: 'AllReady',
  message: '',
  lastTransitionTime,
  observedGeneration,
});

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

type Report = readonly [type: string, status: Condition['status'], reason: string];

/** An OpenBaoCluster of generation 2 with these conditions. */
const cluster = (reports: readonly Report[], observedGeneration = 2) => {
  const { apiVersion, kind } = OpenBaoCluster;
  const conditions = reports.map(([type, status, reason]) => ({
    ...ready('True', observedGeneration),
    type,
    status,
    reason,
  }));
  return ownStatus({ apiVersion, kind, metadata: { name: 'bao', generation: 2 }, status: { conditions } });
};

const running: readonly Report[] = [
  ['TLSReady', 'True', 'Ready'],
  ['Degraded', 'False', 'PrerequisitesReady'],
  ['Upgrading', 'False', 'Idle'],
  ['OpenBaoInitialized', 'True', 'Initialized'],
  ['BackingUp', 'False', 'Idle'],
  ['Available', 'True', 'AllReplicasReady'],
  ['OpenBaoSealed', 'False', 'Unsealed'],
  ['OpenBaoLeader', 'True', 'LeaderFound'],
  ['EtcdEncryptionWarning', 'True', 'EtcdEncryptionUnknown'],
];

const but = (...others: readonly Report[]): Report[] =>
  running.map((each) => others.find(([type]) => type === each[0]) ?? each);

test('a resource of a kind without Ready is ok when its conditions are as they should be, for its current spec', () => {
  const shown = [cluster(running), cluster(running, 1), cluster(but(['Available', 'False', 'NotReady'])), cluster([])];
  assert.deepEqual(
    shown.map(({ state, ready: is, message }) => [state, is, message]),
    [
      ['ok', 'True', 'All sub-resources are ready'],
      ['waiting', 'True', 'All sub-resources are ready'],
      ['waiting', 'False', 'One or more sub-conditions are not ready'],
      ['waiting', 'Unknown', ''],
    ],
  );
});

test('an OpenBaoCluster shows all of its conditions; those of the summary wait for the initialisation', () => {
  const { conditions } = cluster(running);
  assert.deepEqual(
    conditions.map(({ type, state }) => [type, state]),
    running.map(([type]) => [type, 'ok']),
    'a reminder is no problem',
  );
  const starting = cluster(
    but(
      ['OpenBaoInitialized', 'False', 'NotInitialized'],
      ['Available', 'False', 'NoReplicasReady'],
      ['OpenBaoSealed', 'Unknown', 'Unknown'],
      ['OpenBaoLeader', 'Unknown', 'LeaderUnknown'],
    ),
  );
  assert.equal(starting.state, 'waiting');
  assert.deepEqual(
    starting.conditions.filter(({ waitsFor }) => waitsFor.length > 0).map(({ type, waitsFor }) => [type, ...waitsFor]),
    [
      ['Available', 'OpenBaoInitialized'],
      ['OpenBaoSealed', 'OpenBaoInitialized'],
      ['OpenBaoLeader', 'OpenBaoInitialized'],
    ],
  );
  assert.equal(causeOf(starting), 'OpenBaoInitialized NotInitialized');
});

test('an OpenBaoCluster has failed when people must act, and waits while it is paused', () => {
  const refused = cluster(but(['Degraded', 'True', 'DowngradeBlocked']));
  assert.deepEqual([refused.state, causeOf(refused)], ['failed', 'Degraded DowngradeBlocked']);
  const held = cluster(but(['Degraded', 'True', 'ScaleDownHeld']));
  assert.deepEqual([held.state, causeOf(held)], ['waiting', 'Degraded ScaleDownHeld'], 'it is asked again by itself');
  const paused = cluster(but(['TLSReady', 'Unknown', 'Paused'], ['Available', 'Unknown', 'Paused']));
  assert.deepEqual([paused.state, paused.ready], ['waiting', 'Unknown']);
});

test('a node that has not reported yet is waiting; one that reports that it is not ready has failed', () => {
  const states = [nodeState(), nodeState(ready('True', 1)), nodeState(ready('False', 1))];
  assert.deepEqual(states, ['waiting', 'ok', 'failed']);
});
