// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { hasFailed, tally } from './probe-tally.ts';
import { runProbes, type Probes } from './run-probes.ts';

/** Runs probes against scripted results by second, and records the notifications with their second. */
function probing(probes: Probes, answer: (second: number) => boolean) {
  const clock = virtualClock();
  const begin = clock.now();
  const second = () => (clock.now() - begin) / 1000;
  const notified: string[] = [];
  const probed: number[] = [];
  const abort = new AbortController();
  const note = (what: string) => void notified.push(`${second()} ${what}`);
  let wasReady: boolean | undefined;
  const check = async () => {
    probed.push(second());
    return { ok: answer(second()), message: 'no' };
  };
  const listener = {
    started: () => note('started'),
    ready(ready: boolean) {
      if (ready !== wasReady) note(ready ? 'ready' : 'unready');
      wasReady = ready;
    },
    unhealthy: (message: string) => note(message),
    failed: (which: string) => note(`failed ${which} probe`),
  };
  void runProbes(probes, check, listener, clock, abort.signal);
  return { clock, notified, probed, abort };
}

test('the verdict of a probe changes only at its thresholds', () => {
  const probe = { failureThreshold: 2, successThreshold: 2 };
  const results = [true, true, false, true, false, false, true, true];
  let state = { verdict: false, inARow: 0 };
  const verdicts = results.map((result) => (state = tally(state, result, probe)).verdict);
  assert.deepEqual(verdicts, [false, true, true, true, true, false, false, true]);
  assert.ok(!hasFailed(state, probe));
});

describe('the probes of a container', () => {
  test('without any, it is ready at once', async () => {
    const { clock, notified } = probing({}, () => false);
    await clock.advance(seconds(0));
    assert.deepEqual(notified, ['0 started', '0 ready']);
  });

  test('other probes start after the startup probe has succeeded', async () => {
    const probe = { periodSeconds: 10 };
    const { clock, notified, abort } = probing({ startupProbe: probe, readinessProbe: probe }, (time) => time >= 3);
    await clock.advance(seconds(9));
    abort.abort();
    const [failure, ...rest] = notified;
    assert.equal(failure, '0 Startup probe failed: no');
    assert.deepEqual(rest, ['3 started', '3 ready'], 'probed every second, not only once per period');
  });

  test('a container that does not start in time is unhealthy, and additional probes do not shorten that time', async () => {
    const startupProbe = { periodSeconds: 10, failureThreshold: 3 };
    const { clock, notified, abort } = probing({ startupProbe }, () => false);
    await clock.advance(seconds(19));
    const failures = ['0', '10'].map((time) => `${time} Startup probe failed: no`);
    assert.deepEqual(notified, failures, 'one for each period');
    await clock.advance(seconds(60));
    abort.abort();
    assert.deepEqual(notified, [...failures, '20 Startup probe failed: no', '20 failed startup probe']);
  });

  test('readiness may change; a failed liveness probe restarts the container', async () => {
    const probes = {
      readinessProbe: { initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 1 },
      livenessProbe: { initialDelaySeconds: 15, periodSeconds: 20, failureThreshold: 2 },
    };
    const { clock, notified, abort } = probing(probes, (time) => time < 30);
    await clock.advance(seconds(60));
    abort.abort();
    assert.deepEqual(notified, [
      '0 started',
      '5 ready',
      '35 Liveness probe failed: no',
      '35 Readiness probe failed: no',
      '35 unready',
      '45 Readiness probe failed: no',
      '55 Liveness probe failed: no',
      '55 failed liveness probe',
      '55 Readiness probe failed: no',
    ]);
  });

  test('probing stops when the container has exited', async () => {
    const { clock, probed, abort } = probing({ livenessProbe: { periodSeconds: 10 } }, () => true);
    await clock.advance(seconds(25));
    abort.abort();
    await clock.advance(seconds(60));
    assert.deepEqual(probed, [0, 10, 20]);
  });
});
