// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerState } from '@forge/kube/generated/types.ts';
import { loggedRun } from './logged-run.ts';

const exited: ContainerState = { terminated: { exitCode: 1, containerID: 'forge://1' } };
const crashLoop: ContainerState = { waiting: { reason: 'CrashLoopBackOff' } };
const running: ContainerState = { running: { startedAt: '2026-01-01T00:00:00Z' } };

function run(state: ContainerState, lastState: ContainerState, previous = false) {
  const status = { name: 'main', image: '', imageID: '', ready: false, restartCount: 4, state, lastState };
  const found = loggedRun({ containerStatuses: [status] }, { pod: 'web', container: 'main', previous });
  return typeof found === 'number' ? found : found.problem;
}

const problem = (reason: string) => run({ waiting: { reason } }, {});

test('the log is that of the current run, or of the last run while the container waits', () => {
  assert.deepEqual([run(running, exited), run(exited, exited), run(crashLoop, exited)], [4, 4, 4]);
});

test('the previous log is that of the last exit before the current state', () => {
  assert.deepEqual([run(running, exited, true), run(exited, exited, true), run(crashLoop, exited, true)], [3, 3, 4]);
  assert.equal(run(running, {}, true), 'previous terminated container "main" in pod "web" not found');
});

test('the log of a container that never ran is an error with the reason', () => {
  assert.deepEqual(
    [problem('ErrImagePull'), problem('ImagePullBackOff'), problem('PodInitializing')],
    [
      'container "main" in pod "web" is waiting to start: image can\'t be pulled',
      'container "main" in pod "web" is waiting to start: trying and failing to pull image',
      'container "main" in pod "web" is waiting to start: PodInitializing',
    ],
  );
  const missing = loggedRun({}, { pod: 'web', container: 'other', previous: false });
  assert.deepEqual(missing, { status: 404, problem: 'container "other" not found in pod "web"\n' });
});
