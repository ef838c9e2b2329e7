// SPDX-License-Identifier: Apache-2.0
import type { VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { mount } from '../openbao/policies.ts';
import { seed } from '../openbao/seed.ts';
import { startOpenBao } from '../openbao/start-openbao.ts';
import type { Progress } from '../terminal/progress.ts';
import { createOnce } from './create-once.ts';
import type { Demo } from './demo.ts';
import { installOperator, type OperatorInstallation } from './install-operator.ts';
import type { LocalCluster } from './local-cluster.ts';
import { refuseOtherDemo } from './refuse-other-demo.ts';
import { showOperatorUntilReady } from './show-operator.ts';
import { standInNames, standInsOf, type RunningStandIns } from './stand-ins.ts';

/** Options of the demo. */
export interface DemoOptions {
  demo: Demo;
  data: DataFolder;
  operators: readonly OperatorInstallation[];
  progress: Progress;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
  /** Pods that were started earlier belong to an earlier run. */
  since: number;
  publicEndpoint: string;
  /** The stand-ins that are omitted. */
  without: ReadonlySet<StandInName>;
}

/** The running demo, besides its objects. */
interface RunningDemo {
  /** OpenBao's API as root. */
  openbao: VaultHttp;
  standIns: RunningStandIns;
}

/**
 * Starts the operators and OpenBao, and creates the demo's missing objects. OpenBao starts in parallel with the
 * database; objects that need External Secrets are created when OpenBao is seeded.
 */
export async function startDemo(cluster: LocalCluster, given: DemoOptions): Promise<RunningDemo> {
  const { client } = cluster;
  await refuseOtherDemo(client, given.demo, given.data);
  const failed = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, failed.signal]) };
  const { demo, operators, publicEndpoint, progress, without, signal } = options;
  const dial: LocalCluster['dial'] = (...target) => cluster.dial(...target);
  const openbaoReady = untilAborted(signal);

  // Otherwise External Secrets would report that OpenBao is unavailable while it is only starting.
  const dialReady: typeof dial = (...target) => openbaoReady.promise.then(() => dial(...target));
  const standIns = standInsOf((name) => ({
    ...options,
    client,
    dial: name === 'external-secrets' ? dialReady : dial,
  }));
  cluster.use(standIns);
  const startStandIns = async () => {
    const started = standInNames.filter((name) => !without.has(name));
    await Promise.all(started.map((name) => standIns.start(name)));
    if (started.length > 0) progress.done('stand-ins', `run for ${started.join(', ')}`);
  };
  const startSecrets = async (started: Promise<void>) => {
    const api = await startOpenBao({ ...options, client, dial });
    await seed(api, demo, { mount, random: options.random });
    openbaoReady.resolve();
    await started;
    for (const manifest of demo.secretManifests()) await createOnce(client, manifest, options);
    return api;
  };
  const startServices = async (started: Promise<void>) => {
    // One by one: they share a namespace.
    for (const operator of operators) await installOperator(operator, client);
    await started;
    for (const manifest of demo.manifests(publicEndpoint)) await createOnce(client, manifest, options);
  };
  await client.apply(Namespace, namespace(demo.namespace), { fieldManager: 'forge', force: true });
  const started = startStandIns();
  const shown = operators.map((operator) => showOperatorUntilReady(client, operator, options));
  const [openbao] = await allOrNone([startSecrets(started), startServices(started), ...shown], failed);
  return { openbao, standIns };
}

/** A promise that rejects when the signal aborts, unless it is resolved before. */
function untilAborted(signal: AbortSignal): PromiseWithResolvers<void> {
  const pending = Promise.withResolvers<void>();
  pending.promise.catch(() => undefined); // even if nothing awaits it
  signal.addEventListener('abort', () => pending.reject(signal.reason), { once: true });
  return pending;
}

/** Like `Promise.all`, but aborts the others when one fails, and rejects only when all have ended. */
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
