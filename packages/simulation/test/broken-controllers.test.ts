// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { SimulationFailure } from '../run/simulation-failure.ts';
import { simulation } from '../run/simulation.ts';
import { announceCopy, copies, copyOf, keepCopy, type CopyWork } from './copies.ts';

/** A bug, the number of seeds within which it must be found, and the expected message. */
interface Bug {
  does: string;
  work: () => CopyWork;
  message: RegExp;
  elected?: boolean;
}

const withinSeeds = 200;

const careless: CopyWork = (ref, context, host) => keepCopy(ref, context, host).catch(() => undefined);

const restless: CopyWork = async (ref, context, host) => {
  await keepCopy(ref, context, host);
  const annotations = { looked: timestamp(context.clock) };
  if (context.cache.get(Secret, ref)) await context.client.patch(Secret, ref, 'merge', { metadata: { annotations } });
};

const bugs: Bug[] = [
  {
    does: 'retries a conflict with its stale object',
    message: /secrets\/default\/source.* is /,
    work: () => {
      const remembered = new Map<string, Secret>();
      return async (ref, { client, cache }) => {
        const source = cache.get(ConfigMap, ref);
        if (source === undefined) return;
        const copy = remembered.get(ref.name) ?? cache.get(Secret, ref);
        const { data = {} } = copyOf(source);
        if (copy === undefined) await client.create(Secret, copyOf(source));
        else if (copy.data?.['text'] !== data['text']) {
          remembered.set(ref.name, { ...copy, data: copy.data ?? {} });
          await client.update(Secret, { ...copy, data });
          remembered.delete(ref.name);
        }
      };
    },
  },
  {
    does: 'creates with generateName before its cache shows what it created',
    message: /ADDED secrets\/default\/copy-\* happened 2 times/,
    work:
      () =>
      async (ref, { client, cache }) => {
        const source = cache.get(ConfigMap, ref);
        if (source === undefined || cache.list(Secret, { owner: source.metadata.uid ?? '' }).length > 0) return;
        const { name: _, ...metadata } = copyOf(source).metadata;
        await client.create(Secret, {
          ...copyOf(source),
          data: {},
          metadata: { ...metadata, generateName: 'copy-' } as Secret['metadata'],
        });
      },
  },
  {
    does: 'overwrites changes of others',
    message: /secrets\/default\/source\.metadata\.labels is/,
    work: () => async (ref, context) => {
      const source = context.cache.get(ConfigMap, ref);
      const copy = context.cache.get(Secret, ref);
      if (source === undefined || copy === undefined) return await keepCopy(ref, context, undefined as never);
      const { data = {} } = copyOf(source);
      if (copy.data?.['text'] === data['text']) return;
      const { resourceVersion: _, ...metadata } = copy.metadata;
      await context.client.update(Secret, { ...copy, metadata, data });
    },
  },
  {
    does: 'writes without checking leadership',
    message: /without holding its Lease/,
    elected: true,
    work: () => async (ref, context, host) => {
      await announceCopy(ref, { ...context, client: host.client }, host);
      await keepCopy(ref, { ...context, client: host.client }, host);
    },
  },
  {
    does: 'ignores errors',
    message: /secrets\/default\/source.* is /,
    work: () => careless,
  },
  {
    does: 'keeps pending work in memory only',
    message: /configmaps\/default\/source\.metadata\.annotations/,
    work: () => async (ref, context, host) => {
      const text = context.cache.get(ConfigMap, ref)?.data?.['text'] ?? '';
      const isNew = context.cache.get(Secret, ref)?.data?.['text'] !== btoa(text);
      await keepCopy(ref, context, host);
      if (isNew) await announceCopy(ref, context, host);
    },
  },
];

describe('the simulation', () => {
  for (const elected of [false, true]) {
    test(`finds no fault in a correct controller${elected ? ' with leader election' : ''}`, async () => {
      const copying = await simulation(copies(() => keepCopy, { elected }));
      await copying.survives(elected ? 10 : 30);
      for (const when of ['before', 'after'] as const) await copying.survivesEvery({ fault: 'crash', when });
    });
  }

  for (const { does, work, message, elected = false } of bugs) {
    test(`catches a controller that ${does}`, async () => {
      const found = await failureOf(async () => {
        await (await simulation(copies(work, { elected }))).survives(withinSeeds);
      });
      assert.match(found.message, message);
    });
  }

  test('catches a controller that writes at every reconcile, even without faults', async () => {
    const found = await failureOf(() => simulation(copies(() => restless)));
    assert.match(found.message, /was written after everything had settled|never settles/);
  });

  test('catches a controller that responds to each of its own writes with another', async () => {
    let written = 0;
    const looping: CopyWork = async (ref, context, host) => {
      await keepCopy(ref, context, host);
      const annotations = { written: String((written += 1)) };
      if (context.cache.get(Secret, ref))
        await context.client.patch(Secret, ref, 'merge', { metadata: { annotations } });
    };
    const found = await failureOf(() => simulation(copies(() => looping)));
    assert.match(found.message, /copies wrote secrets\/default\/source more than 30 times in a minute/);
  });

  test('reproduces a failing run from its plan, with the same trace', async () => {
    const swallowing = await simulation(copies(() => careless));
    const found = await failureOf(() => swallowing.survives(withinSeeds));
    const { plan, traceHash, violations } = found.run;
    const again = await swallowing.replay(structuredClone(plan));
    assert.deepEqual([again.traceHash, again.violations], [traceHash, violations]);
    for (const [index] of plan.faults.entries()) {
      const fewer = { ...plan, faults: plan.faults.toSpliced(index, 1) };
      assert.deepEqual((await swallowing.replay(fewer)).violations, [], 'the plan has no unnecessary fault');
    }
    assert.ok(found.message.includes(JSON.stringify(plan)));
  });
});

async function failureOf(attempt: () => Promise<unknown>): Promise<SimulationFailure> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof SimulationFailure) return error;
    throw error;
  }
  return assert.fail(`not found within ${withinSeeds} seeds`);
}
