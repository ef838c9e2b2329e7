// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStatus, PodStatus } from '@forge/kube/generated/types.ts';
import type { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { podStatus } from './pod-status.ts';

const container = (name: string, state: ContainerStatus['state'], ready = false): ContainerStatus => ({
  name,
  image: '',
  imageID: '',
  ready,
  restartCount: 2,
  ...(state && { state }),
});

const pod = (status: PodStatus, deletionTimestamp?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'web', ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
  spec: { containers: [{ name: 'a' }, { name: 'b' }] },
  status,
});

test('a pod has its ready containers, its restarts, and why other containers are not running', () => {
  const running = container('a', { running: {} }, true);
  const waiting = container('b', { waiting: { reason: 'ErrImagePull', message: 'no recipe' } });
  assert.deepEqual(podStatus(pod({ phase: 'Running', containerStatuses: [running, waiting] })), {
    namespace: 'default',
    name: 'web',
    state: 'failed',
    ready: '1/2',
    phase: 'Running',
    restarts: 4,
    waitsFor: 'container b: ErrImagePull: no recipe',
  });
});

test('of init containers, the one that blocks the pod is reported, not those after it', () => {
  const failing = container('init', { waiting: { reason: 'CrashLoopBackOff' } });
  const behind = container('a', { waiting: { reason: 'PodInitializing' } });
  const { state, waitsFor } = podStatus(pod({ initContainerStatuses: [failing], containerStatuses: [behind] }));
  assert.deepEqual([state, waitsFor], ['failed', 'container init: CrashLoopBackOff']);
});

test('an unschedulable pod and a terminating pod are reported as such', () => {
  const unscheduled = { type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' };
  assert.equal(podStatus(pod({ conditions: [unscheduled] })).waitsFor, 'a node: 0/1 nodes are available');
  assert.equal(podStatus(pod({ phase: 'Running' }, '2026-01-01T00:00:00Z')).phase, 'Terminating');
});

const stateOf = (...args: Parameters<typeof pod>) => podStatus(pod(...args)).state;

test('a pod that starts or terminates is waiting; one that failed, or whose container cannot run, has failed', () => {
  const creating = container('a', { waiting: { reason: 'ContainerCreating' } });
  assert.equal(stateOf({ phase: 'Pending', containerStatuses: [creating] }), 'waiting');
  assert.equal(stateOf({ phase: 'Running' }), 'waiting', 'it is not ready');
  assert.equal(stateOf({ phase: 'Running' }, '2026-01-01T00:00:00Z'), 'waiting');
  assert.equal(stateOf({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }), 'ok');
  assert.equal(stateOf({ phase: 'Succeeded' }), 'ok');
  assert.equal(stateOf({ phase: 'Failed' }), 'failed');
  const crashing = container('a', { waiting: { reason: 'CrashLoopBackOff' } });
  assert.equal(stateOf({ phase: 'Running', containerStatuses: [crashing] }), 'failed');
  assert.equal(stateOf({ phase: 'Running', containerStatuses: [crashing] }, '2026-01-01T00:00:00Z'), 'waiting');
});

test('a failed pod of a Job that has succeeded since is ok', () => {
  const controller = { apiVersion: 'batch/v1', kind: 'Job', name: 'sync', uid: 'u', controller: true };
  const failed = pod({ phase: 'Failed' });
  const attempt = { ...failed, metadata: { ...failed.metadata, ownerReferences: [controller] } };
  const job: Job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'sync', uid: 'u' } };
  assert.equal(podStatus(attempt, [job]).state, 'failed');
  const status = { conditions: [{ type: 'Complete', status: 'True' }] };
  assert.equal(podStatus(attempt, [{ ...job, status }]).state, 'ok');
});
