// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { drawPlan } from '@forge/simulation/faults/draw-plan.ts';
import { simulatedProcess } from '@forge/simulation/process/simulated-process.ts';
import { simulatedCluster } from '@forge/simulation/world/simulated-cluster.ts';
import { sharedCache, type SharedCache } from '../cache/cache.ts';
import type { ReadStore } from '../cache/namespace-stores.ts';
import { minutes, seconds } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { keyOf } from '../objects/object-key.ts';
import { isLater } from '../objects/resource-version.ts';
import { eachSeed } from './each-seed.ts';

// About how many operations that faults can hit a cache must perform for a thousand faults to take effect.
const counts = { write: 0, request: 80, watch: 250, list: 80, event: 500, call: 0 };
const spare = 1.2;
const mostRounds = 2000;
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const namespace = 'default';

/** The objects according to the changes that a store's handlers observed. */
type Mirror = Map<string, KubeObject>;

/**
 * Runs caches with this many faults in their watches while objects are created, changed and deleted: each cache must end up
 * equal to the server.
 */
export async function tortureWatches(first: number, seeds: number, faults: number): Promise<void> {
  await eachSeed(first, seeds, (seed, server) => tortureWatch(seed, faults, server));
}

async function tortureWatch(seed: number, faults: number, server: ApiServer): Promise<void> {
  const random = seededRandom(seed);
  const plan = drawPlan(seed, new Map([['cache', counts]]), Math.ceil(faults * spare));
  const { context, advance } = await simulatedCluster(plan, server);
  const user = client(inProcessTransport(context.server));
  let cache: SharedCache | undefined;
  const mirrors = new Map<ReadStore, Mirror>();
  const broken: string[] = [];
  const there = new Set<string>();

  const process = simulatedProcess(
    {
      name: 'cache',
      start(host) {
        const started = sharedCache({ ...host, fieldManagers: new Set() });
        for (const [kind, labels] of [[ConfigMap], [ConfigMap, 'web=yes'], [Secret]] as [Kind, string?][]) {
          const store = started.open(kind, { labels });
          mirrors.set(store, mirrorOf(store, broken));
        }
        cache = started;
        return started.start(new AbortController().signal);
      },
    },
    context,
  );

  process.start();
  for (let round = 0; context.faults.triggered < faults; round += 1) {
    assert.ok(round < mostRounds, 'the cache has stopped doing what faults can meet');
    for (let count = 0; count < 2; count += 1) await changeSomething(user, random, there);
    await advance(seconds(random.number() < 0.3 ? 90 * random.number() : 1));
    if (random.number() < 0.3) process.release();
  }
  context.faults.disable();
  process.release();
  // A cache that has never received a bookmark detects a hung watch only when it should have ended.
  await advance(minutes(12));

  assert.deepEqual(broken, []);
  assert.ok(cache !== undefined);
  for (const kind of [ConfigMap, Secret] as Kind[]) {
    const [whole, labelled]: readonly ReadStore[] = cache.stores(kind);
    const { items } = await user.list(kind);
    const wanted = items.map(withoutManagers);
    assert.deepEqual(whole?.list(), wanted);
    if (labelled !== undefined)
      assert.deepEqual(
        labelled.list(),
        wanted.filter(({ metadata }) => metadata.labels?.['web'] === 'yes'),
      );
  }
  for (const [store, mirror] of mirrors) {
    assert.deepEqual([...mirror.values()].toSorted(byName), store.list());
  }
  process.end();
  await context.server.close();
}

/** Follows a store by its changes alone: each begins where the last one ended, and never goes back. */
function mirrorOf(store: ReadStore, broken: string[]): Mirror {
  const mirror: Mirror = new Map();
  const newest = new Map<string, string>();
  store.onChange(({ before, after }) => {
    const key = keyOf((after ?? before)?.metadata ?? { name: '' });
    if (mirror.get(key) !== before) broken.push(`${key} did not begin where it had ended`);
    if (after === undefined) return void mirror.delete(key);
    const { uid, resourceVersion = '' } = after.metadata;
    if ((before?.metadata.uid ?? uid) !== uid) broken.push(`${key} was replaced without having gone`);
    if (!isLater(resourceVersion, newest.get(key) ?? '0')) broken.push(`${key} went back to ${resourceVersion}`);
    newest.set(key, resourceVersion);
    mirror.set(key, after);
  });
  return mirror;
}

/** Creates, changes, replaces or deletes one of a few objects. */
async function changeSomething(user: Client, random: Random, there: Set<string>): Promise<void> {
  const name = names[Math.floor(random.number() * names.length)] ?? '';
  const kind: Kind = random.number() < 0.7 ? ConfigMap : Secret;
  const { apiVersion, kind: type } = kind;
  const ref = { namespace, name };
  const id = `${type} ${name}`;
  const labels = { web: random.number() < 0.5 ? 'yes' : 'no' };
  const create = () => user.create(kind, { apiVersion, kind: type, metadata: { ...ref, labels } });
  if (!there.has(id)) {
    await create();
    there.add(id);
  } else if (random.number() < 0.6) await user.patch(kind, ref, 'merge', { metadata: { labels } });
  else {
    await user.delete(kind, ref);
    if (random.number() < 0.5) await create();
    else there.delete(id);
  }
}

function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function byName(a: KubeObject, b: KubeObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
