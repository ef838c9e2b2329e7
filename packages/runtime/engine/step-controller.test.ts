// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { minutes, now, seconds } from '../environment/duration.ts';
import { requeueNow, blocked, degraded, failed, ready, waiting, type Outcome } from '../steps/outcome.ts';
import { reads } from '../steps/reads.ts';
import { stepFor, type Step } from '../steps/step.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { Site, type Services } from '../test/site.ts';

const step = stepFor<Site, Services>();
const statusPath = '/apis/test.forge.c5c3.io/v1/namespaces/default/sites/home/status';

describe('a step controller', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = await siteOperator();
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  /** A step with an outcome chosen by the test, which records when it ran. */
  function telling(
    name: string,
    say: () => Outcome<unknown, { url?: string | undefined }>,
    needs: Record<string, Step<Site, Services>> = {},
  ): { step: Step<Site, Services>; runs: number[] } {
    const runs: number[] = [];
    const observed = step({
      name,
      condition: `${name}Ready`,
      needs,
      writes: name === 'Main' ? ['url'] : [],
      run: async () => {
        runs.push(operator.cluster.clock.now());
        return await Promise.resolve(say());
      },
    });
    return { step: observed, runs };
  }

  test('enqueues a resource when an object that a step reads by name is created or updated', async () => {
    const certificate = step({
      name: 'Certificate',
      condition: 'CertificateReady',
      reads: [reads(Secret, ({ spec }, { prefix }) => [`${prefix}-${spec.text}`])],
      run({ object, services, get }) {
        const secret = get(Secret, `${services.prefix}-${object.spec.text}`);
        return Promise.resolve(
          secret === undefined ? blocked('NoSecret', 'create it') : ready('Found', String(secret.data?.['crt'])),
        );
      },
    });
    await operator.start(certificate);
    assert.deepEqual(await operator.conditions(), ['CertificateReady False NoSecret', 'Ready False NotAllReady']);
    operator.writes();
    const metadata = { namespace: 'default', name: 'unrelated' };
    await operator.cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    await operator.cluster.client.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, name: 'tls-hello' },
    });
    await operator.cluster.clock.settle();
    assert.deepEqual(operator.writes(), ['PUT sites/home/status']);
    assert.deepEqual(await operator.conditions(), ['CertificateReady True Found', 'Ready True AllReady']);
  });

  describe('after an outcome', () => {
    test('waits for the recheck, the shortest of all', async () => {
      const slow = telling('Slow', () => waiting('Wait', '', seconds(60)));
      const quick = telling('Quick', () => ready('Fine', '', { recheck: seconds(15) }));
      await operator.start(slow.step, quick.step);
      const before = slow.runs.length;
      await operator.cluster.clock.advance(seconds(46));
      assert.equal(slow.runs.length - before, 3);
    });

    test('is not requeued when blocked, degraded or ready', async () => {
      const steps = [blocked('No', ''), degraded('Meh', ''), ready('Fine', '')].map((outcome, index) =>
        telling(`S${index}`, () => outcome),
      );
      await operator.start(...steps.map((item) => item.step));
      const before = steps.map(({ runs }) => runs.length);
      await operator.cluster.clock.advance(minutes(9));
      assert.deepEqual(
        steps.map(({ runs }) => runs.length),
        before,
      );
    });

    test('backs off when failed, with status saved first, but not beyond the recheck of another step', async () => {
      const bad = telling('Bad', () => failed('Broken', 'no database', new Error('refused')));
      const other = telling('Other', () => waiting('Wait', '', seconds(30)));
      await operator.start(bad.step, other.step);
      assert.deepEqual(await operator.conditions(), [
        'BadReady False Broken',
        'OtherReady False Wait',
        'Ready False NotAllReady',
      ]);
      await operator.cluster.clock.advance(minutes(9));
      const pauses = bad.runs.slice(1).map((time, index) => time - (bad.runs[index] ?? 0));
      assert.ok(pauses.length > 10 && pauses[0] !== undefined && pauses[0] < 10, String(pauses));
      assert.equal(pauses.at(-1), seconds(30));
    });

    test('keeps the condition of a step that threw, saves the rest and backs off', async () => {
      let broken = false;
      const flaky = telling('Flaky', () => {
        if (broken) throw new Error('no network');
        return ready('Fine', '');
      });
      const other = telling('Other', () => ready(broken ? 'StillFine' : 'Fine', ''));
      await operator.start(flaky.step, other.step);
      broken = true;
      await operator.patch({ text: 'new' });
      assert.deepEqual(await operator.conditions(), [
        'FlakyReady True Fine',
        'OtherReady True StillFine',
        'Ready True AllReady',
      ]);
      const before = flaky.runs.length;
      await operator.cluster.clock.advance(seconds(1));
      assert.ok(flaky.runs.length > before + 3);
    });

    test('starts over at once after requeueNow, with status saved', async () => {
      let rotated = false;
      const keys = telling('Keys', () => {
        if (rotated) return ready('Available', '');
        rotated = true;
        return requeueNow('Rotated', '');
      });
      const user = telling('User', () => ready('Fine', ''), { keys: keys.step });
      const seen: string[] = [];
      operator.cluster.connection.intercept = ({ path, body }) => {
        if (path === statusPath)
          seen.push(...((body as Site).status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`));
      };
      await operator.start(keys.step, user.step);
      assert.deepEqual(seen, [
        'KeysReady Rotated',
        'Ready NotAllReady',
        'KeysReady Available',
        'UserReady Fine',
        'Ready AllReady',
      ]);
    });

    test('does not starve others when a step requests immediate rechecks forever', async () => {
      // It ends after a while, so that this test fails instead of hanging.
      const hasty = telling('Hasty', () => (hasty.runs.length < 5000 ? waiting('Wait', '', now) : ready('Fine', '')));
      await operator.start(hasty.step);
      await operator.cluster.clock.advance(seconds(10));
      assert.ok(hasty.runs.length > 100 && hasty.runs.length < 1200, String(hasty.runs.length));
    });

    test('saves the status fields of a step, and removes those it sets to undefined', async () => {
      let url: string | undefined = 'http://home';
      const main = telling('Main', () => ready('Fine', '', { status: { url } }));
      await operator.start(main.step);
      assert.equal((await operator.site()).status?.url, 'http://home');
      url = undefined;
      await operator.patch({ text: 'new' });
      assert.equal('url' in ((await operator.site()).status ?? {}), false);
    });

    test('sends an Event only when the condition changes, before the status', async () => {
      let reason = 'First';
      const main = telling('Main', () =>
        waiting(reason, '', seconds(10), { event: { type: 'Normal', reason, message: 'told' } }),
      );
      await operator.start(main.step);
      assert.deepEqual(operator.writes(), ['POST events', 'PUT sites/home/status']);
      await operator.cluster.clock.advance(minutes(1));
      assert.deepEqual(operator.writes(), []);
      reason = 'Second';
      await operator.cluster.clock.advance(seconds(10));
      assert.deepEqual(operator.writes(), ['POST events', 'PUT sites/home/status']);
      const events = await operator.cluster.client.list(Event, { namespace: 'default' });
      assert.deepEqual(new Set(events.items.map((event) => event.reason)), new Set(['First', 'Second']));
    });
  });

  test('throws when a step sets a status field that it does not declare', async () => {
    const { step: named } = telling('Main', () => ready('Fine', '', { status: { url: 'http://home' } }));
    await operator.start({ ...named, writes: [] });
    assert.equal(
      operator.errors()[0]?.message,
      'step Main threw: step Main sets status.url, which is not in its writes',
    );
    assert.equal((await operator.site()).status?.url, undefined);
  });

  test('joins the error of a step with the error of saving the status', async () => {
    operator.cluster.connection.intercept = ({ path }) => {
      if (path === statusPath) throw refusal(409, 'Conflict', 'the object has been modified');
    };
    const bad = telling('Bad', () => failed('Broken', 'no database'));
    await operator.start(bad.step);
    const [error] = operator.errors();
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(error.errors.map(String), [
      'Error: step Bad failed: no database',
      'ApiError: the object has been modified',
    ]);
    operator.cluster.connection.intercept = () => undefined;
    await operator.cluster.clock.advance(seconds(5));
    assert.deepEqual(await operator.conditions(), ['BadReady False Broken', 'Ready False NotAllReady']);
  });

  test('writes status once, whatever the number of steps, based on concurrent changes', async () => {
    const steps = ['A', 'B', 'C'].map((name) => telling(name, () => ready('Fine', '')).step);
    const slow = step({
      name: 'Slow',
      async run() {
        await operator.cluster.client.patch(Site, home, 'merge', { metadata: { annotations: { theirs: 'x' } } });
        await operator.cluster.clock.settle();
        return ready('Fine', '');
      },
    });
    await operator.start(...steps, slow);
    await operator.cluster.clock.settle();
    assert.deepEqual(operator.writes(), ['PUT sites/home/status']);
    assert.equal((await operator.conditions()).at(-1), 'Ready True AllReady');
  });

  test('keeps a status field that somebody else, such as the previous leader, sets during the pass', async () => {
    const slow = step({
      name: 'Slow',
      condition: 'SlowReady',
      async run({ object }) {
        if (object.status?.conditions === undefined) {
          const status = { url: 'http://theirs' };
          await operator.cluster.client.patch(Site, home, 'merge', { status }, { subresource: 'status' });
          await operator.cluster.clock.settle();
        }
        return ready('Fine', '');
      },
    });
    await operator.start(slow);
    await operator.cluster.clock.settle();
    const { status } = await operator.site();
    assert.deepEqual([status?.url, status?.conditions?.length], ['http://theirs', 2]);
  });

  test('saves no status of a resource that is deleted during the pass', async () => {
    const slow = step({
      name: 'Slow',
      condition: 'SlowReady',
      async run({ object }) {
        if (object.spec.text !== 'delete') return blocked('No', '');
        await operator.cluster.client.delete(Site, home);
        await operator.cluster.clock.settle();
        return ready('Fine', '');
      },
    });
    await operator.start(slow);
    await operator.cluster.client.patch(Site, home, 'merge', { metadata: { finalizers: ['test.forge.c5c3.io/hold'] } });
    operator.writes();
    await operator.patch({ text: 'delete' });
    await operator.cluster.clock.settle();
    assert.deepEqual(operator.writes(), []);
    assert.notEqual((await operator.site()).metadata.deletionTimestamp, undefined);
  });

  test('saves no status on another resource that took the name during the pass', async () => {
    const slow = step({
      name: 'Slow',
      condition: 'SlowReady',
      async run({ object: { metadata, spec } }) {
        if (spec.text === 'replace') {
          await operator.cluster.client.delete(Site, home);
          await operator.cluster.client.create(Site, {
            apiVersion: Site.apiVersion,
            kind: 'Site',
            metadata: home,
            spec: {},
          });
          await operator.cluster.clock.settle();
        }
        return ready('Fine', `this is ${metadata.uid}`);
      },
    });
    await operator.start(slow);
    const saved: unknown[] = [];
    operator.cluster.connection.intercept = ({ path, body }) => {
      if (path === statusPath) saved.push((body as Site).status?.conditions?.[0]?.message);
    };
    await operator.patch({ text: 'replace' });
    await operator.cluster.clock.settle();
    assert.deepEqual(saved, [`this is ${(await operator.site()).metadata.uid}`]);
  });

  test('treats it as expected when the resource is deleted before its status is saved', async () => {
    let reason = 'First';
    await operator.start(telling('Main', () => ready(reason, '')).step);
    reason = 'Second';
    operator.cluster.connection.intercept = async ({ path }) => {
      if (path === statusPath) await operator.cluster.client.delete(Site, home);
    };
    await operator.patch({ text: 'new' });
    await operator.cluster.clock.advance(seconds(1));
    assert.deepEqual(operator.errors(), []);
  });

  test('leaves a terminating resource alone', async () => {
    const main = telling('Main', () => waiting('Wait', '', now));
    await operator.restart(main.step);
    const metadata = { ...home, finalizers: ['test.forge.c5c3.io/hold'] };
    await operator.cluster.client.create(Site, { apiVersion: Site.apiVersion, kind: 'Site', metadata, spec: {} });
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
    const before = main.runs.length;
    operator.writes();
    await operator.cluster.clock.advance(minutes(1));
    assert.equal(main.runs.length, before);
    assert.deepEqual(operator.writes(), []);
  });
});
