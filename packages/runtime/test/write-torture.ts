// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import { drawPlan } from '@forge/simulation/faults/draw-plan.ts';
import { simulatedProcess } from '@forge/simulation/process/simulated-process.ts';
import type { ProcessContext } from '@forge/simulation/scenario/scenario.ts';
import { simulatedCluster } from '@forge/simulation/world/simulated-cluster.ts';
import { applier } from '../apply/applier.ts';
import { sharedCache, type SharedCache } from '../cache/cache.ts';
import { cachingClient } from '../cache/caching-client.ts';
import { sleep, type Clock } from '../environment/clock.ts';
import { milliseconds, minutes } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { isLater } from '../objects/resource-version.ts';
import { eachSeed } from './each-seed.ts';

const counts = { write: 0, request: 0, watch: 5, list: 0, event: 30, call: 0 };
const delays = 5;
const passes = 12;
const fieldManager = 'torture';
const names = ['a', 'b'];
const namespace = 'default';

/**
 * Writes based on what a cache shows, while its watch is late and another client writes, too. No write may be refused because
 * of an earlier one of its own, and no write of the other client may be lost.
 */
export async function tortureWrites(first: number, seeds: number): Promise<void> {
  await eachSeed(first, seeds, tortureWriter);
}

async function tortureWriter(seed: number, server: ApiServer): Promise<void> {
  const random = seededRandom(seed);
  const { context, user, during, advance } = await simulatedCluster(
    drawPlan(seed, new Map([['writer', counts]]), delays),
    server,
  );
  const finished = Promise.withResolvers<void>();
  let cache: SharedCache | undefined;

  async function start(host: ProcessContext): Promise<void> {
    const started = sharedCache({ ...host, fieldManagers: new Set([fieldManager]) });
    const observed = new Map<string, ObjectMeta>();
    started.open(ConfigMap).onChange(({ after }) => after && observed.set(after.metadata.name, after.metadata));
    await started.start(new AbortController().signal);
    cache = started;
    const client = cachingClient(host.client, started);
    const { clock } = host;
    const writers = names.map((name) => writeOften({ client, cache: started, clock, random, name, observed }));
    finished.resolve(Promise.all(writers).then(() => undefined));
  }

  const process = simulatedProcess({ name: 'writer', start }, context);
  process.start();
  const [notes] = await during(Promise.all([annotateOften(user, random), finished.promise]));
  context.faults.disable();
  process.release();
  await advance(minutes(2));

  const { items } = await during(user.list(ConfigMap, { namespace }));
  for (const { metadata } of items) {
    const wanted = notes.get(metadata.uid ?? '') ?? [];
    assert.deepEqual(Object.keys(metadata.annotations ?? {}).toSorted(), wanted.toSorted(), `of ${metadata.name}`);
  }
  assert.deepEqual(
    cache?.list(ConfigMap).map(({ metadata }) => metadata.resourceVersion),
    items.map(({ metadata }) => metadata.resourceVersion),
  );
  process.end();
  await context.server.close();
}

interface Writer {
  client: Client;
  cache: SharedCache;
  clock: Clock;
  random: Random;
  name: string;
  /** The last state of each object that the watch delivered. */
  observed: ReadonlyMap<string, ObjectMeta>;
}

/** Creates, updates, applies and deletes one object, each time based on what the cache shows. */
async function writeOften({ client, cache, clock, random, name, observed }: Writer): Promise<void> {
  const ref = { namespace, name };
  const apply = applier(fieldManager);
  const context = { client, cache, signal: new AbortController().signal };
  /** What our last write made of it; undefined is nothing. */
  let own: ConfigMap | undefined;

  async function write(pass: number): Promise<ConfigMap | undefined> {
    const live = cache.get(ConfigMap, ref);
    const data = { own: String(pass) };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data } as const;
    const patch = (key: string) => client.patch(ConfigMap, ref, 'merge', { data: { [key]: String(pass) } });
    const choice = random.number();
    if (choice < 0.3) return await apply(ConfigMap, object, context);
    if (live === undefined) return await client.create(ConfigMap, object);
    if (choice < 0.6) return await client.update(ConfigMap, { ...live, data });
    if (choice < 0.7) return newer(...(await Promise.all([patch('own'), patch('other')])));
    const { uid = '', resourceVersion = '' } = live.metadata;
    if (choice < 0.85) await client.delete(ConfigMap, ref, { preconditions: { uid, resourceVersion } });
    else await Promise.all([client.delete(ConfigMap, ref), patch('own').catch(() => undefined)]);
    return undefined;
  }

  function check(): void {
    const seen = cache.get(ConfigMap, ref)?.metadata;
    assert.equal(seen?.uid, own?.metadata.uid, 'a write of ours does not show');
    for (const known of [own?.metadata, observed.get(name)]) {
      const isBehind = known?.uid === seen?.uid && isLater(known?.resourceVersion ?? '0', seen?.resourceVersion ?? '0');
      assert.ok(!isBehind, 'what we read is older than what we know');
    }
  }

  for (let pass = 0; pass < passes; pass += 1) {
    const sent = cache.get(ConfigMap, ref)?.metadata;
    try {
      own = await write(pass);
    } catch (error) {
      // Another client may have changed it meanwhile, which the cache shows later; our own writes it must show at once.
      assert.ok(isApiError(error, 'Conflict'), `${String(error)} after a write of ours`);
      const known = own?.metadata;
      assert.ok(known?.uid === sent?.uid && !isLater(known?.resourceVersion ?? '0', sent?.resourceVersion ?? '0'));
    }
    check();
    while (random.number() < 0.4) {
      await sleep(clock, milliseconds(10 ** (4 * random.number())));
      check();
    }
  }
}

function newer(one: ConfigMap, other: ConfigMap): ConfigMap {
  return isLater(one.metadata.resourceVersion ?? '', other.metadata.resourceVersion ?? '') ? one : other;
}

/** Puts one annotation after the other on the objects; gives those each object has, by its uid. */
async function annotateOften(user: Client, random: Random): Promise<Map<string, string[]>> {
  const observed = new Map<string, string[]>();
  for (let count = 0; count < passes; count += 1) {
    const name = names[Math.floor(random.number() * names.length)] ?? '';
    const note = `note-${count}`;
    try {
      const patch = { metadata: { annotations: { [note]: '' } } };
      const { metadata } = await user.patch(ConfigMap, { namespace, name }, 'merge', patch);
      observed.set(metadata.uid ?? '', [...(observed.get(metadata.uid ?? '') ?? []), note]);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }
  return observed;
}
