// SPDX-License-Identifier: Apache-2.0
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { Logger } from '@forge/runtime/logging/logger.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { mount } from '../openbao/policies.ts';
import { seed } from '../openbao/seed.ts';
import { startOpenBao } from '../openbao/start-openbao.ts';
import type { Progress } from '../terminal/progress.ts';
import { createOnce } from './create-once.ts';
import { demo, demoManifests, secretManifests } from './demo.ts';
import { refuseEarlierDemo } from './earlier-demo.ts';
import { installOperator, type OperatorInstallation } from './install-operator.ts';
import type { LocalCluster } from './local-cluster.ts';
import { showOperatorUntilReady } from './show-operator.ts';
import { runStandIn, standInNames, type StandInName } from './stand-ins.ts';

/** What the demo is started with. */
export interface DemoOptions {
  data: DataFolder;
  operator: OperatorInstallation;
  progress: Progress;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
  /** Pods that were started before are of an earlier run. */
  since: number;
  publicEndpoint: string;
  /** The stand-ins that are left out. */
  without: ReadonlySet<StandInName>;
}

/**
 * Starts the operators and OpenBao, and creates the demo's objects that do not exist yet; resolves with OpenBao's API as
 * root. OpenBao starts beside the database; what asks External Secrets for Secrets follows when OpenBao is seeded.
 */
export async function startDemo(cluster: LocalCluster, given: DemoOptions): Promise<VaultHttp> {
  const { client } = cluster;
  await refuseEarlierDemo(client, given.data);
  const failed = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, failed.signal]) };
  const { operator, publicEndpoint, progress, without, signal } = options;
  const dial: LocalCluster['dial'] = (...target) => cluster.dial(...target);
  const openbaoReady = untilAborted(signal);

  const startStandIn = async (name: StandInName) => {
    // External Secrets would report that the OpenBao of an earlier run is lost, while it is only starting.
    const dialReady: typeof dial = (...target) => openbaoReady.promise.then(() => dial(...target));
    const reach = name === 'external-secrets' ? dialReady : dial;
    cluster.use(await runStandIn(name, { ...options, client, dial: reach }));
  };
  const startStandIns = async () => {
    const started = standInNames.filter((name) => !without.has(name));
    await Promise.all(started.map(startStandIn));
    if (started.length > 0) progress.done('stand-ins', `run for ${started.join(', ')}`);
  };
  const startSecrets = async (standIns: Promise<void>) => {
    const api = await startOpenBao({ ...options, client, dial });
    await seed(api, demo, { mount, random: options.random });
    openbaoReady.resolve();
    await standIns;
    for (const manifest of secretManifests()) await createOnce(client, manifest, options);
    return api;
  };
  const startServices = async (standIns: Promise<void>) => {
    await Promise.all([installOperator(operator, client), standIns]);
    for (const manifest of demoManifests(publicEndpoint)) await createOnce(client, manifest, options);
  };
  await client.apply(Namespace, namespace(demo.namespace), { fieldManager: 'forge', force: true });
  const standIns = startStandIns();
  const shown = showOperatorUntilReady(client, operator, options);
  const [api] = await allOrNone([startSecrets(standIns), startServices(standIns), shown], failed);
  return api;
}

/** A promise that rejects when the signal aborts, unless it is resolved before. */
function untilAborted(signal: AbortSignal): PromiseWithResolvers<void> {
  const pending = Promise.withResolvers<void>();
  pending.promise.catch(() => undefined); // also when nobody waits for it
  signal.addEventListener('abort', () => pending.reject(signal.reason), { once: true });
  return pending;
}

/** Like `Promise.all`, but aborts the others when one fails, and rejects only when none runs any more. */
async function allOrNone<T extends readonly Promise<unknown>[]>(
  running: readonly [...T],
  failed: AbortController,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = Promise.all(running);
  results.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(running);
  return results;
}

function namespace(name: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
