// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keystoneConditions } from '@forge/keystone/conditions/condition-catalog.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { StepNode } from '../../../operators/operators.ts';
import { conditionStatuses, stepConditions } from './condition-status.ts';

const step = (name: string, type: string | undefined, ...needs: StepNode[]): StepNode => ({
  name,
  condition: type === undefined ? undefined : { type, desired: 'True', countsForReady: true, measured: true },
  conditions: [],
  needs: Object.fromEntries(needs.map((need) => [need.name, need])),
});

const reported = (type: string, status: Condition['status'], reason: string) => ({
  type,
  status,
  reason,
  message: `because of ${reason}`,
});

const condition = (...report: Parameters<typeof reported>): Condition => ({
  ...reported(...report),
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

test('a condition waits for the unmet conditions of the steps that it needs, also through steps without a condition', () => {
  const secrets = step('Secrets', 'SecretsReady');
  const config = step('Config', undefined, secrets);
  const database = step('Database', 'DatabaseReady', config);
  const deployment = step('Deployment', 'DeploymentReady', config, database);
  const conditions = [condition('SecretsReady', 'True', 'Found'), condition('DatabaseReady', 'False', 'SyncFailed')];

  const statuses = stepConditions([secrets, config, database, deployment], conditions, []);
  assert.deepEqual(statuses, [
    { ...reported('SecretsReady', 'True', 'Found'), state: 'ok', informational: false, needs: [], waitsFor: [] },
    {
      ...reported('DatabaseReady', 'False', 'SyncFailed'),
      state: 'failed',
      informational: false,
      needs: ['SecretsReady'],
      waitsFor: [],
    },
    {
      type: 'DeploymentReady',
      status: 'Unknown',
      reason: '',
      message: '',
      state: 'waiting',
      informational: false,
      needs: ['SecretsReady', 'DatabaseReady'],
      waitsFor: ['DatabaseReady'],
    },
  ]);

  const missing = stepConditions([secrets, config, database], [condition('SecretsReady', 'False', 'Missing')], []);
  assert.deepEqual(
    missing.map(({ type, waitsFor }) => [type, ...waitsFor]),
    [['SecretsReady'], ['DatabaseReady', 'SecretsReady']],
  );
});

test('a step may set further conditions, of which one may be inverse, and one not count for readiness', () => {
  const counted = { desired: 'False', countsForReady: true, measured: true } as const;
  const summary: StepNode = {
    ...step('Summary', 'Available'),
    conditions: [
      { ...counted, type: 'Degraded' },
      { ...counted, type: 'Upgrading', countsForReady: false },
    ],
  };
  const cases = [
    { type: 'Degraded', inverse: true, status: 'True', reason: 'LeaderUnknown', message: '', recheck: seconds(5) },
  ] as const;
  const statesOfSummary = (...conditions: Condition[]) =>
    stepConditions([summary], conditions, cases).map(({ type, state, informational }) => [type, state, informational]);
  const upgrading = condition('Upgrading', 'True', 'UpgradeFailed');
  assert.deepEqual(
    statesOfSummary(condition('Available', 'True', 'All'), condition('Degraded', 'False', 'Reconciling'), upgrading),
    [
      ['Available', 'ok', false],
      ['Degraded', 'ok', false],
      ['Upgrading', 'failed', true],
    ],
  );
  assert.equal(statesOfSummary(condition('Degraded', 'True', 'QuorumLost'))[1]?.[1], 'failed');
  assert.equal(statesOfSummary(condition('Degraded', 'True', 'LeaderUnknown'))[1]?.[1], 'waiting', 'it is rechecked');
});

test('conditions of a healthy Memcached are all as desired, including those that should be False', () => {
  const healthy = [
    condition('Available', 'True', 'Available'),
    condition('Progressing', 'False', 'ProgressingComplete'),
    condition('Degraded', 'False', 'NotDegraded'),
    condition('Ready', 'True', 'MemcachedReady'),
  ];
  assert.deepEqual(
    conditionStatuses(healthy).filter(({ state }) => state !== 'ok'),
    [],
  );
  const [degraded] = conditionStatuses([condition('Degraded', 'True', 'Degraded')]);
  assert.equal(degraded?.state, 'failed');
});

test('an unmet condition that our operator will recheck is waiting; any other unmet one has failed', () => {
  const database = step('Database', 'DatabaseReady');
  const stateOf = (reason: string) =>
    stepConditions([database], [condition('DatabaseReady', 'False', reason)], keystoneConditions.conditions)[0]?.state;
  assert.equal(stateOf('DBSyncInProgress'), 'waiting');
  assert.equal(stateOf('DBSyncFailed'), 'failed', 'retried with backoff');
  assert.equal(stateOf('ExpandFailed'), 'failed', 'rechecked, but its reason is a failure');
  assert.equal(stateOf('DowngradeNotSupported'), 'failed', 'the user must act');
  assert.equal(stateOf('ApplyRejected'), 'failed', 'the engine can set it on any condition');
  assert.equal(stepConditions([database], [], keystoneConditions.conditions)[0]?.state, 'waiting', 'not reported yet');
});

const statesOf = (...conditions: Condition[]) => conditionStatuses(conditions).map(({ state }) => state);

test('a resource of another operator is waiting while it progresses, and has failed when its reason is a failure', () => {
  assert.deepEqual(
    statesOf(condition('Available', 'False', 'Progressing'), condition('Progressing', 'True', 'Progressing')),
    ['waiting', 'waiting'],
  );
  assert.deepEqual(statesOf(condition('Ready', 'False', 'SecretSyncedError')), ['failed']);
  assert.deepEqual(statesOf(condition('Available', 'False', 'UnrecoverableError')), ['failed']);
  assert.deepEqual(statesOf(condition('Ready', 'False', 'StatefulSetNotReady')), ['waiting']);
});
