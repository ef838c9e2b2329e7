// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { minutes, seconds } from '../environment/duration.ts';
import { deletionStepFor } from '../steps/deletion-step.ts';
import { blocked, ready, waiting } from '../steps/outcome.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site, type Services } from '../test/site.ts';

const fine = async () => ready('Fine', '');

describe('a guard', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const parked = step({
    name: 'Duplicate',
    conditions: ['Ready'],
    async run({ object }) {
      if (object.spec.text !== 'duplicate') return ready('Alone', '');
      const text = { status: 'False', reason: 'Duplicate', message: 'parked' } as const;
      return waiting('Duplicate', 'parked', seconds(30), { conditions: { Ready: text } });
    },
  });
  const paused = step({
    name: 'Paused',
    conditions: ['MainReady', 'Ready'],
    async run({ object }) {
      if (object.spec.secret !== 'pause') return ready('Running', '');
      const text = { status: 'Unknown', reason: 'Paused', message: 'reconciliation is paused' } as const;
      return blocked('Paused', '', { conditions: { MainReady: text, Ready: text } });
    },
  });
  const finalizer = 'test.forge.c5c3.io/hold';
  let runs = 0;
  const main = step({
    name: 'Main',
    condition: 'MainReady',
    async run() {
      runs += 1;
      return ready('Fine', '');
    },
  });

  beforeEach(async () => {
    runs = 0;
    operator.deletion = [deletionStepFor<Site, Services>()({ name: 'Release', finalizer, run: fine })];
    operator.controller = { guards: { beforeFinalizers: parked, afterFinalizers: paused } };
  });

  test('before finalizers, a parked resource gets none, reports that, and is deleted at once', async () => {
    await operator.restart(main);
    const { apiVersion, kind } = Site;
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: { text: 'duplicate' } });
    await operator.cluster.clock.settle();
    assert.deepEqual(await operator.conditions(), ['Ready False Duplicate']);
    assert.deepEqual([(await operator.site()).metadata.finalizers, runs], [undefined, 0]);
    await operator.cluster.client.delete(Site, home);
    assert.equal(await operator.cluster.client.find(Site, home), undefined);
  });

  test('before finalizers, a resource that is no longer parked continues', async () => {
    await operator.start(main);
    await operator.patch({ text: 'duplicate' });
    assert.deepEqual(await operator.conditions(), ['MainReady True Fine', 'Ready False Duplicate']);
    await operator.patch({ text: 'hello' });
    assert.deepEqual(await operator.conditions(), ['MainReady True Fine', 'Ready True AllReady']);
  });

  test('after finalizers, a paused resource has status Unknown, writes nothing else, and can be deleted', async () => {
    await operator.restart(main);
    const { apiVersion, kind } = Site;
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: { secret: 'pause' } });
    await operator.cluster.clock.settle();
    assert.deepEqual(await operator.conditions(), ['MainReady Unknown Paused', 'Ready Unknown Paused']);
    assert.deepEqual([(await operator.site()).metadata.finalizers, runs], [[finalizer], 0]);
    operator.writes();
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
    assert.equal(await operator.cluster.client.find(Site, home), undefined);
  });

  test('its own condition is written also when the guard is ready', async () => {
    const pausing = step({
      name: 'Pausing',
      condition: { type: 'Paused', inverse: true, informational: true },
      async run({ object }) {
        return object.spec.secret === 'pause' ? blocked('Asked', '') : ready('Running', '', { recheck: minutes(3) });
      },
    });
    operator.controller = { guards: { afterFinalizers: pausing } };
    await operator.start(main);
    const running = ['Paused False Running', 'MainReady True Fine', 'Ready True AllReady'];
    assert.deepEqual(await operator.conditions(), running);
    const before = runs;
    await operator.cluster.clock.advance(minutes(3));
    assert.equal(runs, before + 1);
    await operator.patch({ secret: 'pause' });
    assert.equal((await operator.conditions())[0], 'Paused True Asked');
    await operator.patch({ secret: null });
    assert.deepEqual(await operator.conditions(), running);
  });
});
