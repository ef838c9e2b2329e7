// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { conditionCases } from '../conditions/cases.ts';
import { sleep } from '../environment/clock.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { deletionStepFor } from '../steps/deletion-step.ts';
import { blocked, degraded, failed, ready, waiting, type Outcome } from '../steps/outcome.ts';
import { stepFor, type Step } from '../steps/step.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { Site, type Services } from '../test/site.ts';
import { prometheusMetrics, type PrometheusMetrics } from './prometheus-metrics.ts';

const step = stepFor<Site, Services>();

function telling(name: string, say: () => Outcome<unknown, object>): Step<Site, Services> {
  return step({ name, condition: `${name}Ready`, run: async () => await Promise.resolve(say()) });
}

describe('the metrics of an operator', () => {
  let operator: SiteOperator;
  let metrics: PrometheusMetrics;

  beforeEach(async () => {
    operator = await siteOperator();
    metrics = prometheusMetrics();
    operator.options = { metrics };
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  /** The lines of the page that begin so, without what they have in common. */
  async function series(start: string): Promise<string[]> {
    const lines = (await metrics.text()).split('\n');
    return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  }

  const stepErrors = () => series('site_operator_reconcile_errors_total');
  const stepRuns = () => series('site_operator_reconcile_duration_seconds_count');

  test('measure every run of a step with a condition that Ready counts, also in a deletion, and of no other', async () => {
    operator.deletion = [
      deletionStepFor<Site, Services>()({
        name: 'Finalize',
        finalizer: 'test.forge.c5c3.io/hold',
        condition: 'AReady',
        run: async () => ready('Fine', ''),
      }),
    ];
    const plain = step({ name: 'Plain', run: async () => ready('Fine', '') });
    const condition = { type: 'InfoReady', informational: true } as const;
    const informational = step({ name: 'Informational', condition, run: async () => ready('Fine', '') });
    const slow = step({
      name: 'Slow',
      condition: 'SlowReady',
      async run({ clock }) {
        await sleep(clock, seconds(2));
        return ready('Fine', '');
      },
    });
    const helping = { type: 'SlowReady', helperOf: 'Slow' } as const;
    const helper = step({ name: 'Helper', condition: helping, run: async () => ready('Fine', '') });
    await operator.start(plain, informational, helper, slow);
    await operator.cluster.clock.advance(seconds(3));
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.advance(seconds(3));
    // The second run was caused by our own status.
    assert.deepEqual(await stepRuns(), ['{sub_reconciler="Slow"} 2', '{sub_reconciler="Finalize"} 1']);
    const buckets = await series('site_operator_reconcile_duration_seconds_bucket');
    const ofSlow = buckets.filter((line) => line.includes('"Slow"'));
    assert.deepEqual(
      ofSlow.map((line) => /le="(.*?)".* (\d)$/.exec(line)?.slice(1).join(':')),
      ['0.01:0', '0.05:0', '0.1:0', '0.25:0', '0.5:0', '1:0', '2.5:2', '5:2', '10:2', '30:2', '+Inf:2'],
    );
  });

  test('count runs that failed, threw or were blocked, by the condition they set', async () => {
    await operator.start(
      telling('Failing', () => failed('Broken', '')),
      telling('Blocked', () => blocked('No', '')),
      telling('Waiting', () => waiting('Wait', '', minutes(1))),
      telling('Degraded', () => degraded('Meh', '')),
      telling('Fine', () => ready('Fine', '')),
      telling('Throwing', () => {
        throw new Error('no network');
      }),
    );
    const errors = (await stepErrors()).map((line) => line.replace(/ \d+$/, ''));
    assert.deepEqual(errors.toSorted(), [
      '{sub_reconciler="Blocked",condition_type="BlockedReady"}',
      '{sub_reconciler="Failing",condition_type="FailingReady"}',
      '{sub_reconciler="Throwing",condition_type="ThrowingReady"}',
    ]);
    assert.equal((await stepRuns()).length, 6);
  });

  test('count what the catalog calls an error, whatever its outcome, and errors of a helper under the step that it helps', async () => {
    const cases = conditionCases('MainReady', {
      broken: { status: 'False', reason: 'Broken', message: 'tried again', recheck: minutes(1), counts: 'error' },
      fine: { status: 'True', reason: 'Fine', message: '' },
    });
    const helping = { type: 'MainReady', helperOf: 'Main' } as const;
    await operator.start(
      step({ name: 'Helper', condition: helping, run: async () => failed('Refused', '') }),
      step({ name: 'Main', condition: 'MainReady', run: async () => ready(cases.fine()) }),
      step({ name: 'Degraded', condition: 'MainReady', run: async () => degraded(cases.broken()) }),
      step({ name: 'Waiting', condition: 'MainReady', run: async () => waiting(cases.broken()) }),
    );
    const errors = (await stepErrors()).map((line) => line.replace(/ \d+$/, ''));
    assert.deepEqual(
      errors.toSorted(),
      ['Degraded', 'Main', 'Waiting'].map((name) => `{sub_reconciler="${name}",condition_type="MainReady"}`),
    );
  });

  test('cover the results, durations and number of reconciliations', async () => {
    let outcome: Outcome<unknown, object> = ready('Fine', '');
    await operator.start(telling('Main', () => outcome));
    const total = () => series('controller_runtime_reconcile_total{controller="site-controller",result=');
    assert.deepEqual(await total(), ['"success"} 2', '"error"} 0', '"requeue"} 0', '"requeue_after"} 0']);
    outcome = waiting('Wait', '', minutes(30));
    await operator.patch({ text: 'a' });
    outcome = failed('Broken', '');
    await operator.patch({ text: 'b' });
    const [success, errors, , later] = await total();
    assert.deepEqual([success, later], ['"success"} 2', '"requeue_after"} 2']);
    assert.match(errors ?? '', /^"error"} [1-9]/);
    assert.deepEqual(await series('controller_runtime_active_workers'), ['{controller="site-controller"} 0']);
    assert.deepEqual(await series('controller_runtime_max_concurrent_reconciles'), [
      '{controller="site-controller"} 4',
    ]);
    const [errorCount] = await series('controller_runtime_reconcile_errors_total{controller="site-controller"}');
    assert.equal(errorCount, errors?.replace(/.*}/, ''));
    const [time] = await series('controller_runtime_reconcile_time_seconds_count{controller="site-controller"}');
    assert.ok(Number(time) > 4, time);
  });

  test('exist before anything has happened', async () => {
    await operator.restart();
    const labels = '{name="site-controller",controller="site-controller"';
    for (const name of ['adds', 'retries']) assert.deepEqual(await series(`workqueue_${name}_total${labels}} `), ['0']);
    assert.deepEqual(await series(`workqueue_depth${labels},priority=`), ['"0"} 0', '"-100"} 0']);
    assert.equal((await series('controller_runtime_reconcile_total')).length, 4);
  });

  test('cover how long keys waited and were worked on, and how many were retried', async () => {
    const slow = step({
      name: 'Slow',
      async run({ clock, object }) {
        await sleep(clock, seconds(3));
        return object.spec.text === 'hello' ? failed('Broken', '') : ready('Fine', '');
      },
    });
    await operator.start(slow);
    await operator.patch({ text: 'meanwhile' });
    const labels = '{name="site-controller",controller="site-controller"';
    const depth = () => series(`workqueue_depth${labels},priority=`);
    assert.deepEqual(await depth(), ['"0"} 1', '"-100"} 0']);
    await operator.cluster.clock.advance(seconds(2));
    assert.deepEqual(await series(`workqueue_unfinished_work_seconds${labels}} `), ['2']);
    assert.deepEqual(await series(`workqueue_longest_running_processor_seconds${labels}} `), ['2']);
    await operator.cluster.clock.advance(seconds(8));
    assert.deepEqual(await series(`workqueue_longest_running_processor_seconds${labels}} `), ['0']);
    assert.deepEqual(await depth(), ['"0"} 0', '"-100"} 0']);
    assert.deepEqual(await series(`workqueue_queue_duration_seconds_sum${labels}} `), ['3']);
    assert.deepEqual(await series(`workqueue_work_duration_seconds_sum${labels}} `), ['9']);
    assert.deepEqual(await series(`workqueue_retries_total${labels}} `), ['1']);
    assert.deepEqual(await series(`workqueue_adds_total${labels}} `), ['3']);
    const buckets = await series(`workqueue_queue_duration_seconds_bucket`);
    assert.deepEqual(buckets.map((line) => /le="(.*?)"/.exec(line)?.[1]).slice(0, 3), ['1e-8', '1e-7', '0.000001']);
  });
});
