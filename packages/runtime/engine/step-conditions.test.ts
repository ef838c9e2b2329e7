// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Event } from '@forge/kube/kinds/builtin.ts';
import { conditionCases } from '../conditions/cases.ts';
import { minutes, now, seconds } from '../environment/duration.ts';
import { failOnError } from '../steps/fail-on-error.ts';
import { blocked, checkpoint, failed, ready, waiting, type Outcome } from '../steps/outcome.ts';
import { StepBug } from '../steps/step-bug.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';

const fine = async () => ready('Fine', '');

/** A step that sets `url` when the Site says this, or `both`. */
const urlWriter = (name: string, text: string) =>
  step({
    name,
    writes: ['url'],
    run: async ({ object }) =>
      ready('Fine', '', object.spec.text === text || object.spec.text === 'both' ? { status: { url: name } } : {}),
  });

describe('the conditions of steps', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const events = async () => {
    const { items } = await operator.cluster.client.list(Event, { namespace: 'default' });
    return items.map(({ reason, message, count }) => `${reason} ${message} ${count}`).toSorted();
  };

  test('may be several, inverse and unknown ones included', async () => {
    const upgrade = step({
      name: 'Upgrade',
      condition: 'Available',
      conditions: [
        { type: 'Degraded', inverse: true },
        { type: 'Leader', informational: true },
      ],
      async run({ object }) {
        const isBad = object.spec.text === 'bad';
        return ready('Up', '', {
          conditions: {
            Degraded: { status: isBad ? 'True' : 'False', reason: isBad ? 'Bad' : 'Fine', message: '' },
            Leader: { status: 'Unknown', reason: 'NoToken', message: 'nobody may look' },
          },
        });
      },
    });
    await operator.start(upgrade);
    const said = ['Available True Up', 'Degraded False Fine', 'Leader Unknown NoToken', 'Ready True AllReady'];
    assert.deepEqual(await operator.conditions(), said);
    await operator.patch({ text: 'bad' });
    assert.deepEqual((await operator.conditions()).slice(1), [
      'Degraded True Bad',
      'Leader Unknown NoToken',
      'Ready False NotAllReady',
    ]);
  });

  test('that are inverse are False when the step is ready, and show the first True of several steps', async () => {
    const condition = { type: 'Degraded', inverse: true } as const;
    let second: Outcome<undefined, object> = ready('Fine', '');
    const first = step({ name: 'First', condition, run: fine });
    const other = step({ name: 'Second', condition, run: async () => second });
    await operator.start(first, other);
    assert.equal((await operator.conditions())[0], 'Degraded False Fine');
    second = blocked('Broken', 'repair it');
    await operator.patch({ text: 'new' });
    assert.deepEqual(await operator.conditions(), ['Degraded True Broken', 'Ready False NotAllReady']);
  });

  test('show the text of the step that a helper without a text helps', async () => {
    const condition = { type: 'MainReady', helperOf: 'Main' };
    const helper = step({ name: 'Helper', condition, run: async () => ready() });
    await operator.start(helper, step({ name: 'Main', condition: 'MainReady', run: fine }));
    assert.equal((await operator.conditions())[0], 'MainReady True Fine');
  });

  test('throw where their own step is ready without a text', async () => {
    await operator.start(step({ name: 'Silent', condition: 'MainReady', run: async () => ready() }));
    assert.match(String(operator.errors()[0]), /step Silent is ready without a text for its condition MainReady/);
  });

  test('throw where the case is of another condition or status', async () => {
    const cases = conditionCases('Other', { good: { status: 'True', reason: 'Good', message: '' } });
    const mistaken = step({ name: 'Mistaken', condition: 'MainReady', run: async () => ready(cases.good()) });
    await operator.start(mistaken);
    assert.match(String(operator.errors()[0]), /MainReady: the outcome "ready" contradicts its case Other=True/);
  });

  test('throw where the condition is not declared', async () => {
    const conditions = { Degraded: { status: 'False', reason: 'Fine', message: '' } } as const;
    const mistaken = step({ name: 'Mistaken', run: async () => ready('Fine', '', { conditions }) });
    await operator.start(mistaken);
    assert.match(String(operator.errors()[0]), /step Mistaken sets Degraded, which is not in its conditions/);
  });

  test('leave Ready to a step where the controller does', async () => {
    operator.controller = { ready: 'byStep' };
    const alone = step({ name: 'Alone', condition: 'Ready', run: async () => ready('Rotated', 'the key is new') });
    await operator.start(alone, step({ name: 'Other', condition: 'OtherReady', run: async () => blocked('No', '') }));
    assert.deepEqual(await operator.conditions(), ['OtherReady False No', 'Ready True Rotated']);
  });

  test('are aggregated with the texts of the controller', async () => {
    const allReady = { reason: 'AllReady', message: 'All sub-conditions are ready' };
    operator.controller = { ready: { allReady, notAllReady: { reason: 'NotAllReady', message: 'Not yet' } } };
    await operator.start(step({ name: 'Main', condition: 'MainReady', run: fine }));
    assert.equal((await operator.site()).status?.conditions?.at(-1)?.message, 'All sub-conditions are ready');
  });

  test('carry the observed generation, also in status.observedGeneration', async () => {
    await operator.start(step({ name: 'Main', condition: 'MainReady', run: fine }));
    await operator.patch({ text: 'new' });
    const { metadata, status } = await operator.site();
    assert.equal(status?.observedGeneration, metadata.generation);
  });

  test('send an Event when only the message changes, but not when only its suffix does', async () => {
    const cases = conditionCases('MainReady', {
      running: {
        status: 'False',
        reason: 'Running',
        message: '{job} is running',
        recheck: seconds(9),
        suffix: 'optional',
      },
    });
    let said = cases.running({ job: 'a' });
    const event = { type: 'Normal', reason: 'Running', message: 'told' } as const;
    await operator.start(step({ name: 'Main', condition: 'MainReady', run: async () => waiting(said, { event }) }));
    const say = async (next: typeof said) => {
      said = next;
      await operator.cluster.clock.advance(seconds(10));
      return (await events())[0];
    };
    assert.equal(await say(cases.running({ job: 'a' }, 'ImagePullBackOff')), 'Running told 1');
    assert.equal((await operator.site()).status?.conditions?.[0]?.message, 'a is running: ImagePullBackOff');
    assert.equal(await say(cases.running({ job: 'a' }, 'CrashLoopBackOff')), 'Running told 1');
    assert.equal(await say(cases.running({ job: 'a' })), 'Running told 1');
    assert.equal(await say(cases.running({ job: 'b' })), 'Running told 2');
  });

  test('send the Event of a step without a condition once, until its text changes', async () => {
    let message = 'first';
    const event = () => ({ type: 'Normal', reason: 'Pruned', message }) as const;
    const prune = step({ name: 'Prune', run: async () => ready('Fine', '', { event: event(), recheck: seconds(10) }) });
    await operator.start(prune);
    await operator.cluster.clock.advance(minutes(1));
    assert.deepEqual(await events(), ['Pruned first 1']);
    message = 'second';
    await operator.cluster.clock.advance(minutes(1));
    assert.deepEqual(await events(), ['Pruned first 1', 'Pruned second 1']);
  });

  test('of a skipped step have the text for the unmet need, else stay unchanged', async () => {
    const cases = conditionCases('TopReady', {
      waits: { status: 'False', reason: 'WaitingForBase', message: 'BaseReady is not True', recheck: seconds(5) },
    });
    let base: Outcome<undefined, object> = ready('Fine', '');
    let runs = 0;
    const below = step({
      name: 'Base',
      condition: 'BaseReady',
      run: async () => {
        runs += 1;
        return base;
      },
    });
    const other = step({ name: 'Other', condition: 'OtherReady', needs: { below }, run: fine });
    const skipped = { below: cases.waits() };
    const top = step({ name: 'Top', condition: 'TopReady', needs: { below }, skipped, run: fine });
    await operator.start(below, other, top);
    base = blocked('No', '');
    await operator.patch({ text: 'new' });
    assert.deepEqual((await operator.conditions()).slice(1, 3), [
      'OtherReady True Fine',
      'TopReady False WaitingForBase',
    ]);
    const before = runs;
    await operator.cluster.clock.advance(seconds(11));
    assert.equal(runs - before, 2);
  });

  test('follow the steps in after, whatever their outcomes', async () => {
    const order: string[] = [];
    const slow = step({
      name: 'Slow',
      async run() {
        for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
        order.push('slow');
        return failed('Bad', '');
      },
    });
    const last = step({
      name: 'Last',
      after: [slow],
      async run() {
        order.push('last');
        return ready('Fine', '');
      },
    });
    await operator.start(last, slow);
    assert.deepEqual(order.slice(0, 2), ['slow', 'last']);
  });

  test('may come with a status field that several steps set, but not in one pass', async () => {
    await operator.start(urlWriter('A', 'hello'), urlWriter('B', 'other'));
    assert.equal((await operator.site()).status?.url, 'A');
    await operator.patch({ text: 'other' });
    assert.equal((await operator.site()).status?.url, 'B');
    await operator.patch({ text: 'both' });
    assert.match(String(operator.errors().at(-1)), /steps A and B both set status.url in one pass/);
  });

  test('report a named failure where work is rejected, and stay unchanged for faults', async () => {
    const cases = conditionCases('MainReady', {
      error: { status: 'False', reason: 'StorageError', message: 'ensuring storage: {error}', recheck: 'backoff' },
    });
    let thrown: Error = new Error('quota exceeded');
    const main = step({
      name: 'Main',
      condition: 'MainReady',
      async run() {
        await failOnError(
          (error) => cases.error({ error }),
          () => Promise.reject(thrown),
        );
        return ready('Fine', '');
      },
    });
    await operator.start(main);
    const message = async () => (await operator.site()).status?.conditions?.[0]?.message;
    assert.equal(await message(), 'ensuring storage: quota exceeded');
    const faults = [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), new StepBug('step Main may not')];
    for (const fault of faults) {
      thrown = fault;
      await operator.patch({ text: fault.message });
      assert.equal(await message(), 'ensuring storage: quota exceeded');
    }
  });

  test('stay unchanged at a checkpoint: status is saved, the pass ends and starts over', async () => {
    const seen: (string | undefined)[] = [];
    const acting = step({
      name: 'Acting',
      condition: 'ActingReady',
      writes: ['url'],
      async run({ object }) {
        seen.push(object.status?.url);
        return object.status?.url === undefined ? checkpoint({ url: 'http://next' }) : ready('Acted', '');
      },
    });
    const after = step({ name: 'After', condition: 'AfterReady', needs: { acting }, run: fine });
    await operator.start(acting, after);
    assert.deepEqual(seen.slice(0, 2), [undefined, 'http://next']);
    assert.deepEqual(await operator.conditions(), [
      'ActingReady True Acted',
      'AfterReady True Fine',
      'Ready True AllReady',
    ]);
  });

  test('of a step at a checkpoint with a text say it at once, and do not become met', async () => {
    const saved: (string | undefined)[] = [];
    const cases = conditionCases('ActingReady', {
      acting: { status: 'False', reason: 'Acting', message: 'about to act' },
      acted: { status: 'True', reason: 'Acted', message: 'done' },
    });
    const acting = step({
      name: 'Acting',
      condition: 'ActingReady',
      writes: ['url'],
      async run({ object: { status } }) {
        saved.push(status?.conditions?.find(({ type }) => type === 'ActingReady')?.reason);
        if (status?.url === undefined) return checkpoint({ url: 'http://next' }, cases.acting());
        return status.url === 'http://next' ? checkpoint({ url: 'http://last' }, cases.acted()) : ready(cases.acted());
      },
    });
    await operator.start(acting);
    assert.deepEqual(saved.slice(0, 3), [undefined, 'Acting', 'Acting']);
    assert.deepEqual(await operator.conditions(), ['ActingReady True Acted', 'Ready True AllReady']);
  });

  test('are rechecked at once where the recheck is now', async () => {
    let waits = 3;
    const hasty = step({
      name: 'Hasty',
      condition: 'HastyReady',
      async run() {
        waits -= 1;
        return waits > 0 ? waiting('Wait', String(waits), now) : ready('Fine', '');
      },
    });
    await operator.start(hasty);
    assert.deepEqual(await operator.conditions(), ['HastyReady True Fine', 'Ready True AllReady']);
  });
});
