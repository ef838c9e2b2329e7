// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeploymentSpec, DeploymentStatus, ReplicaSetStatus } from '@forge/kube/generated/types.ts';
import type { Deployment, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { at, noon } from '../test/pods.ts';
import { progressRecheck, type ProgressNote } from './deployment-progress.ts';
import { deploymentStatus } from './deployment-status.ts';

const spec: DeploymentSpec = { replicas: 4, selector: {}, template: {}, progressDeadlineSeconds: 60 };
const created: ProgressNote = {
  status: 'True',
  reason: 'NewReplicaSetCreated',
  message: 'Created new replica set "web-new"',
};

function set(name: string, replicas: number, status: Omit<ReplicaSetStatus, 'replicas'> = {}): ReplicaSet {
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, ...status };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name },
    spec: { replicas, selector: {} },
    status: counts,
  };
}

function statusOf(
  sets: { old?: ReplicaSet; current?: ReplicaSet },
  { before, second = 0, note }: { before?: DeploymentStatus; second?: number; note?: ProgressNote } = {},
): DeploymentStatus {
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', generation: 2 },
    spec,
    ...(before && { status: before }),
  };
  const all = [sets.old, sets.current].filter((item) => item !== undefined);
  const old = all.filter((item) => item === sets.old);
  return deploymentStatus(
    deployment,
    spec,
    { all, old, current: sets.current },
    virtualClock(noon + second * 1000),
    note,
  );
}

function conditionOf(status: DeploymentStatus, type: string): string {
  const condition = status.conditions?.find((item) => item.type === type);
  return `${condition?.status ?? ''} ${condition?.reason ?? ''}`;
}

describe('the status of a Deployment', () => {
  test('counts the pods of all its ReplicaSets', () => {
    const status = statusOf({
      old: set('web-old', 3, { terminatingReplicas: 1 }),
      current: set('web-new', 2, { readyReplicas: 1, availableReplicas: 0 }),
    });
    const { conditions: _, ...counts } = status;
    assert.deepEqual(counts, {
      observedGeneration: 2,
      replicas: 5,
      updatedReplicas: 2,
      readyReplicas: 4,
      availableReplicas: 3,
      unavailableReplicas: 2,
      terminatingReplicas: 1,
    });
  });

  test('is available while no more than maxUnavailable pods are missing', () => {
    assert.equal(conditionOf(statusOf({ current: set('web-new', 3) }), 'Available'), 'True MinimumReplicasAvailable');
    assert.equal(
      conditionOf(statusOf({ current: set('web-new', 2) }), 'Available'),
      'False MinimumReplicasUnavailable',
    );
  });

  test('reports progress from the new ReplicaSet to its completion, and then stays unchanged', () => {
    const start = statusOf({ current: set('web-new', 0) }, { note: created });
    assert.equal(conditionOf(start, 'Progressing'), 'True NewReplicaSetCreated');
    const under = statusOf({ current: set('web-new', 2) }, { before: start, second: 10 });
    assert.equal(conditionOf(under, 'Progressing'), 'True ReplicaSetUpdated');
    const further = statusOf({ current: set('web-new', 3) }, { before: under, second: 20 });
    const { lastUpdateTime, lastTransitionTime } = further.conditions?.find(({ type }) => type === 'Progressing') ?? {};
    assert.deepEqual([lastUpdateTime, lastTransitionTime], [at(20), at(0)]);
    const done = statusOf({ current: set('web-new', 4) }, { before: further, second: 30 });
    assert.equal(conditionOf(done, 'Progressing'), 'True NewReplicaSetAvailable');
    const degraded = statusOf({ current: set('web-new', 4, { availableReplicas: 1 }) }, { before: done, second: 500 });
    assert.equal(conditionOf(degraded, 'Progressing'), 'True NewReplicaSetAvailable');
    assert.equal(progressRecheck(spec, degraded, noon), undefined);
  });

  test('reports a stuck rollout when nothing progressed until the deadline', () => {
    const sets = { current: set('web-new', 4, { availableReplicas: 3 }) };
    const under = statusOf(sets, { note: created });
    assert.equal(progressRecheck(spec, under, noon + seconds(20)), seconds(41));
    const waiting = statusOf(sets, { before: under, second: 60 });
    assert.equal(conditionOf(waiting, 'Progressing'), 'True ReplicaSetUpdated');
    const stuck = statusOf(sets, { before: waiting, second: 61 });
    assert.equal(conditionOf(stuck, 'Progressing'), 'False ProgressDeadlineExceeded');
    assert.equal(progressRecheck(spec, stuck, noon + seconds(61)), undefined);
    const saved = statusOf({ current: set('web-new', 4) }, { before: stuck, second: 90 });
    assert.equal(conditionOf(saved, 'Progressing'), 'True NewReplicaSetAvailable');
  });

  test('reports that a ReplicaSet cannot create pods, and when it can again', () => {
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no' }];
    const failing = statusOf({ current: set('web-new', 0, { conditions }) });
    assert.equal(conditionOf(failing, 'ReplicaFailure'), 'True FailedCreate');
    assert.equal(conditionOf(statusOf({ current: set('web-new', 4) }, { before: failing }), 'ReplicaFailure'), ' ');
  });

  test('is unchanged when nothing happens', () => {
    const sets = { old: set('web-old', 1), current: set('web-new', 3) };
    const before = statusOf(sets, { note: created });
    assert.deepEqual(statusOf(sets, { before, second: 30 }), before);
  });
});
