// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ApiError } from '@forge/kube/api-error.ts';
import { ConfigMap, CustomResourceDefinition, Secret } from '@forge/kube/builtin.ts';
import { crdOf } from '@forge/kube/crd.ts';
import { watch, type Controller, type Reconcile } from './controller.ts';
import { minutes, now, seconds, type Duration } from './duration.ts';
import { manager, type Manager, type ManagerOptions } from './manager.ts';
import { keyOf } from './object-key.ts';
import { controllerReference } from './owner-reference.ts';
import { ReconcileError } from './reconcile-error.ts';
import { Site } from './test/site.ts';
import { refusal, testCluster, type TestCluster } from './test/test-cluster.ts';

const configMap = (name: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

describe('a manager', () => {
  let cluster: TestCluster;
  let running: Manager | undefined;
  let reconciled: string[];

  beforeEach(async () => {
    cluster = await testCluster();
    reconciled = [];
  });

  afterEach(async () => {
    await running?.stop();
    await cluster.close();
  });

  async function run(
    options: Partial<Controller>,
    work: (key: string, context: Reconcile) => Promise<Duration | undefined> = () => Promise.resolve(undefined),
    more: Partial<ManagerOptions> = {},
  ): Promise<void> {
    running = manager({ ...cluster, ...more });
    running.add({
      name: 'test-controller',
      for: ConfigMap,
      ...options,
      reconcile: async (ref, context) => {
        reconciled.push(keyOf(ref));
        return await work(keyOf(ref), context);
      },
    });
    await running.start();
    await cluster.clock.settle();
  }

  test('reconciles what is there at the start and what comes, changes and goes later', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({});
    assert.deepEqual(reconciled, ['default/a']);
    await cluster.other.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    await cluster.other.delete(ConfigMap, { namespace: 'default', name: 'b' });
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/a', 'default/b', 'default/b']);
  });

  test('reconciles a changed object once, although its old and its new state concern it', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({});
    await cluster.other.patch(ConfigMap, { namespace: 'default', name: 'a' }, 'merge', { data: { k: '1' } });
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/a', 'default/a']);
  });

  test('tries again what failed, in time as told', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({}, () => Promise.reject(new Error('no')), { backoff: { base: seconds(1), cap: seconds(2) } });
    await cluster.clock.advance(minutes(1));
    assert.ok(reconciled.length > 30 && reconciled.length < 60, `${reconciled.length} tries`);
  });

  test('leaves a turn to everything else after each piece of work', async () => {
    let breaths = 0;
    cluster.clock.breathe = async () => void (breaths += 1);
    for (const name of ['a', 'b', 'c']) await cluster.other.create(ConfigMap, configMap(name));
    await run({});
    assert.equal(breaths, 3);
  });

  test('leaves a server alone for as long as it asks to be', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const busy = new ApiError({
      ...refusal(429, 'TooManyRequests', 'later').status,
      details: { retryAfterSeconds: 7 },
    });
    const asked: number[] = [];
    cluster.intercept = ({ path }) => {
      if (!path.endsWith('/configmaps') || asked.push(cluster.clock.now()) > 1) return;
      throw busy;
    };
    const tries: number[] = [];
    const started = run({}, async () => {
      if (tries.push(cluster.clock.now()) === 1)
        throw new ReconcileError([new Error('no', { cause: busy })], undefined);
      return undefined;
    });
    await cluster.clock.advance(minutes(1));
    await started;
    for (const [first = 0, second = 0] of [asked, tries]) {
      assert.ok(second - first >= seconds(7) && second - first <= seconds(14), `${second - first} ms`);
    }
  });

  test('lets an object rest for a second that somebody keeps changing', async () => {
    const a = { namespace: 'default', name: 'a' };
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({});
    for (let turn = 0; turn < 150; turn += 1) {
      await cluster.other.patch(ConfigMap, a, 'merge', { data: { turn: String(turn) } });
      await cluster.clock.settle();
    }
    const { length } = reconciled;
    assert.ok(length > 50 && length <= 100, `${length} passes`);
    await cluster.clock.advance(seconds(2));
    assert.equal(reconciled.length, length + 1);
  });

  test('wakes the owner of an owned object, but not a namesake of another kind or group', async () => {
    const owner = await cluster.other.create(ConfigMap, configMap('owner'));
    await run({ owns: [Secret] });
    reconciled.length = 0;
    const reference = controllerReference(owner);
    for (const [name, ownerReferences] of [
      ['owned', [reference]],
      ['of-another-kind', [{ ...reference, kind: 'Pod' }]],
      ['of-another-group', [{ ...reference, apiVersion: 'vendor.example/v1' }]],
      ['free', []],
    ] as const) {
      const metadata = { name, namespace: 'default', ownerReferences: [...ownerReferences] };
      await cluster.other.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
      await cluster.clock.settle();
    }
    assert.deepEqual(reconciled, ['default/owner']);
  });

  test('wakes whom a watch names, if its predicate agrees, and survives a mapper that throws', async () => {
    const watches = [
      watch(Secret, () => {
        throw new Error('bad mapper');
      }),
      watch(Secret, ({ metadata }) => [{ namespace: metadata.namespace, name: `of-${metadata.name}` }], {
        predicate: ({ after }) => after?.data?.['ignore'] === undefined,
      }),
    ];
    await run({ watches });
    for (const [name, data] of [
      ['a', {}],
      ['b', { ignore: '' }],
    ] as const) {
      await cluster.other.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: 'default' },
        data,
      });
      await cluster.clock.settle();
    }
    assert.deepEqual(reconciled, ['default/of-a']);
    assert.ok(cluster.logged.some(({ message }) => message === 'a watch cannot tell whom a change concerns'));
  });

  test('never reconciles one object twice at a time, but others beside it', async () => {
    const gate = Promise.withResolvers<undefined>();
    await cluster.other.create(ConfigMap, configMap('slow'));
    await run({}, (key) =>
      key === 'default/slow' && reconciled.length === 1 ? gate.promise : Promise.resolve(undefined),
    );
    await cluster.other.patch(ConfigMap, { namespace: 'default', name: 'slow' }, 'merge', { data: { k: '1' } });
    await cluster.other.create(ConfigMap, configMap('quick'));
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/slow', 'default/quick']);
    gate.resolve(undefined);
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/slow', 'default/quick', 'default/slow']);
  });

  test('tries again with growing pauses after a failure, and rechecks when asked to', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const times: number[] = [];
    await run({}, () => {
      times.push(cluster.clock.now());
      if (times.length < 8) throw new Error('no database');
      return Promise.resolve(times.length === 8 ? seconds(30) : undefined);
    });
    await cluster.clock.advance(minutes(2));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.equal(pauses.at(-1), seconds(30));
    for (const [index, pause] of pauses.slice(0, -1).entries()) {
      const whole = 5 * 2 ** index;
      assert.ok(pause >= whole / 2 && pause <= whole, `pause ${index} is ${pause} ms`);
    }
    assert.equal(times.length, 9);
  });

  test('starts with the shortest pause again when a failure follows a success', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const times: number[] = [];
    await run({}, () => {
      times.push(cluster.clock.now());
      if (times.length === 7) return Promise.resolve(seconds(30));
      return times.length < 9 ? Promise.reject(new Error('no database')) : Promise.resolve(undefined);
    });
    await cluster.clock.advance(minutes(2));
    const [success = 0, failure = 0, retry = Infinity] = times.slice(6);
    assert.equal(failure - success, seconds(30));
    assert.ok(retry - failure <= 5, `${retry - failure} ms`);
  });

  test('reconciles everything every ten minutes, without a request of its own', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({});
    cluster.requests.length = 0;
    await cluster.clock.advance(minutes(21));
    assert.deepEqual(reconciled, ['default/a', 'default/a', 'default/a']);
    assert.deepEqual(
      cluster.requests.filter((request) => !request.startsWith('WATCH')),
      [],
    );
  });

  test('reconciles nothing just to be sure when that is switched off', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const work = () => {
      // Without a pause in between, it would go on for ever.
      if (reconciled.length > 3) void running?.stop();
      return Promise.resolve(undefined);
    };
    await run({}, work, { resync: now });
    await cluster.clock.advance(minutes(60));
    assert.deepEqual(reconciled, ['default/a']);
  });

  test('reconciles what somebody changes before what it looks at only to be sure', async () => {
    for (const name of ['a', 'b', 'c']) await cluster.other.create(ConfigMap, configMap(name));
    const gates: (() => void)[] = [];
    const work = () => new Promise<undefined>((resolve) => gates.push(() => resolve(undefined)));
    const finishOne = async () => {
      gates.shift()?.();
      await cluster.clock.settle();
    };
    await run({ workers: 1 }, work);
    await cluster.other.create(ConfigMap, configMap('d'));
    await cluster.clock.settle();
    for (let count = 0; count < 4; count += 1) await finishOne();
    assert.deepEqual(reconciled, ['default/a', 'default/d', 'default/b', 'default/c']);
    reconciled.length = 0;
    await cluster.clock.advance(minutes(10));
    await cluster.other.patch(ConfigMap, { namespace: 'default', name: 'd' }, 'merge', { data: { k: '1' } });
    await cluster.clock.settle();
    for (let count = 0; count < 4; count += 1) await finishOne();
    assert.deepEqual(reconciled, ['default/a', 'default/d', 'default/b', 'default/c']);
  });

  test('watches only what a label selector takes', async () => {
    await run({ watches: [watch(Secret, ({ metadata }) => [metadata], { labels: 'app=web' })] });
    for (const app of ['web', 'db']) {
      const metadata = { name: app, namespace: 'default', labels: { app } };
      await cluster.other.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
    }
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/web']);
  });

  test('is healthy while the API server tells it what happens, and not when it has been silent for five minutes', async () => {
    await run({});
    await cluster.clock.advance(minutes(30));
    assert.ok(running?.healthy() === true);
    cluster.intercept = () => {
      throw new Error('connection refused');
    };
    cluster.breakWatches();
    await cluster.clock.advance(minutes(4));
    assert.equal(running.healthy(), true);
    await cluster.clock.advance(minutes(2));
    assert.equal(running.healthy(), false);
  });

  test('stays healthy behind an API server that sends no bookmarks', async () => {
    cluster.intercept = ({ query }) => {
      delete query?.['allowWatchBookmarks'];
    };
    await run({});
    for (let passed = 0; passed < 60; passed += 1) {
      await cluster.clock.advance(minutes(1));
      assert.equal(running?.healthy(), true, `after ${passed} minutes`);
    }
  });

  describe('treats a kind that is not installed as empty, and watches it once it is', () => {
    const metadata = { name: 'a', namespace: 'default' };
    const create = async () => {
      const { apiVersion, kind } = Site;
      await cluster.other.create(Site, { apiVersion, kind, metadata, spec: {} });
    };
    const install = async () => {
      await cluster.other.create(CustomResourceDefinition, crdOf(Site));
      await cluster.clock.advance(seconds(1));
      await create();
    };

    test('which it learns from a watch, without asking again', async () => {
      await run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      await cluster.clock.advance(minutes(5));
      cluster.requests.length = 0;
      await cluster.clock.advance(minutes(30));
      assert.deepEqual(
        cluster.requests.filter((request) => !request.startsWith('WATCH')),
        [],
      );
      await install();
      await cluster.clock.settle();
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('and asks with pauses when it is installed, but not served yet', async () => {
      let isServed = false;
      cluster.intercept = async ({ path }) => {
        // An answer takes a while, or asking without a pause would never end.
        await new Promise((resolve) => cluster.clock.after(1, () => resolve(undefined)));
        if (!isServed && path.endsWith('/sites')) throw refusal(404, 'NotFound', '404 page not found');
      };
      await cluster.other.create(CustomResourceDefinition, crdOf(Site));
      const started = run({ for: Site });
      await cluster.clock.advance(minutes(1));
      await started;
      const { length } = cluster.requests;
      assert.ok(length > 10 && length < 40, `${length} requests`);
      isServed = true;
      await create();
      await cluster.clock.advance(minutes(1));
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('also when the connection on which it waits dies', async () => {
      await run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      cluster.holdWatches('/customresourcedefinitions');
      await install();
      await cluster.clock.advance(seconds(77));
      assert.deepEqual(reconciled, ['default/a']);
    });

    test('or by asking now and then, when it may not watch definitions', async () => {
      cluster.intercept = ({ path }) => {
        if (path.endsWith('/customresourcedefinitions')) throw refusal(403, 'Forbidden', 'not for you');
      };
      await run({ watches: [watch(Site, ({ metadata: { name, namespace } }) => [{ name, namespace }])] });
      await cluster.clock.advance(minutes(5));
      await install();
      await cluster.clock.advance(minutes(1));
      assert.deepEqual(reconciled, ['default/a']);
    });
  });

  test('can be stopped while it waits for the API server', async () => {
    cluster.intercept = () => {
      throw new Error('connection refused');
    };
    const waiting = manager(cluster);
    waiting.add({ name: 'test-controller', for: ConfigMap, reconcile: () => Promise.resolve(undefined) });
    const started = waiting.start();
    await cluster.clock.advance(minutes(1));
    await waiting.stop();
    await started;
  });

  test('lets running work end when it stops, and starts no other', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const gate = Promise.withResolvers<undefined>();
    let ended = false;
    await run({}, async () => {
      await gate.promise;
      ended = true;
      return undefined;
    });
    const stopped = running?.stop();
    await cluster.other.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    gate.resolve(undefined);
    await stopped;
    assert.equal(ended, true);
    assert.deepEqual(reconciled, ['default/a']);
    running = undefined;
  });

  test('tells running work what happens until it has ended', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    const gate = Promise.withResolvers<void>();
    let seen: unknown;
    await run({}, async (_key, { cache }) => {
      await gate.promise;
      seen = cache.get(ConfigMap, { namespace: 'default', name: 'b' });
      return undefined;
    });
    const stopped = running?.stop();
    await cluster.other.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    gate.resolve();
    await stopped;
    assert.notEqual(seen, undefined);
    running = undefined;
  });

  test('cuts off work that does not end within ten seconds', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({}, (_key, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => resolve(undefined));
      return promise;
    });
    const before = cluster.clock.now();
    let stopped = false;
    const stopping = running?.stop().then(() => (stopped = true));
    await cluster.clock.until(() => stopped);
    await stopping;
    assert.equal(cluster.clock.now() - before, seconds(10));
    running = undefined;
  });

  test('cuts off an Event that the server does not answer', async () => {
    cluster.intercept = ({ path, signal }) =>
      path.endsWith('/events')
        ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
        : undefined;
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({}, async (_, { event }) => {
      await event(configMap('a'), { type: 'Normal', reason: 'Told', message: '' });
      return undefined;
    });
    let stopped = false;
    void running?.stop().then(() => (stopped = true));
    running = undefined;
    await cluster.clock.until(() => stopped, seconds(11));
  });

  test('goes on without work that does not even end when it is cut off', async () => {
    await cluster.other.create(ConfigMap, configMap('a'));
    await run({}, () => new Promise(() => undefined));
    const before = cluster.clock.now();
    let stopped = false;
    const stopping = running?.stop().then(() => (stopped = true));
    await cluster.clock.until(() => stopped);
    await stopping;
    assert.equal(cluster.clock.now() - before, seconds(15));
    assert.match(cluster.logged.at(-1)?.message ?? '', /does not end although it was cut off/);
    running = undefined;
  });
});
