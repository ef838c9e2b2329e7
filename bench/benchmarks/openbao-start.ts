// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from 'node:timers/promises';
import { missingRequirements } from '@forge/cluster/node/requirements.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { liveOpenBao, type LiveOpenBao } from '@forge/openbao/test/real/live-openbao.ts';
import { untilRemains } from '@forge/openbao/test/real/remains.ts';
import { startCluster } from '@forge/openbao/test/real/start-cluster.ts';
import { type Figure, skipped } from '../harness/figure.ts';
import { median } from '../harness/measure.ts';
import { serverLog } from '../harness/server-log.ts';

const rounds = 5;
/** The period of probes on the process node while a container is not up, in milliseconds. */
const probePeriod = 1000;

/**
 * The time of an OpenBaoCluster of three real servers from its creation to Available, minus what the servers themselves and
 * the schedule of the probes take in the same round.
 */
export async function openbaoStart(): Promise<Figure[]> {
  const [missing] = await missingRequirements();
  if (missing !== undefined) return skipped(missing.what);
  await using cluster = await startCluster();
  const starts: Start[] = [];
  // The first round assembles the image.
  for (let round = 0; round <= rounds; round += 1) {
    const bao = await liveOpenBao(cluster, `bao${round}`);
    starts.push(await startOf(bao));
    await cluster.client.delete(OpenBaoCluster, bao.ref);
    await untilRemains(bao, []);
  }
  const counted = starts.slice(1);
  const part = (name: keyof Start) => median(counted.map((start) => start[name])).toFixed(1);
  const [answering, init, join] = [part('answering'), part('init'), part('join')];
  return [
    {
      what: 'an OpenBaoCluster from create to Available, over servers and probes',
      samples: counted.map((start) => start.total - start.answering - start.init - start.join - start.probes),
      unit: 's',
      goal: { atMost: 5 },
      ratio: `of ${part('total')} s: start ${answering}, init ${init}, join ${join}, probes ${part('probes')}`,
    },
  ];
}

/** How long a start took, in seconds, and its parts. */
interface Start {
  total: number;
  /** From the first output of the first server until it accepts connections. */
  answering: number;
  /** The server's work on the initialisation, an election included. */
  init: number;
  /** From the first output of the last server until it is unsealed. */
  join: number;
  /** What the probes of these two wait for their schedule. */
  probes: number;
}

async function startOf(bao: LiveOpenBao): Promise<Start> {
  const watching = new AbortController();
  const pods = watchPods(bao, watching.signal);
  const created = Date.now();
  await bao.create({ deletionPolicy: 'DeletePVCs' });
  const available = await untilAvailable(bao);
  watching.abort();
  const { started, ready, initialDelay } = await pods;
  const first = bao.names.pod(0);
  const [last = ''] = [...ready.keys()].toSorted((one, other) => (ready.get(other) ?? 0) - (ready.get(one) ?? 0));
  const [firstLog, lastLog] = await Promise.all([first, last].map((pod) => serverLog(bao, pod)));
  if (firstLog === undefined || lastLog === undefined || last === first)
    throw new Error('no server has joined the first');
  const answers = firstLog.timeOf('OpenBao server started!');
  const [begins, unsealed] = [lastLog.timeOf(), lastLog.timeOf('core: vault is unsealed')];
  const startup = delayOf(started.get(first), { possible: answers, due: answers });
  const readiness = delayOf(ready.get(last), { possible: unsealed, due: Math.max(unsealed, begins + initialDelay) });
  const parts = {
    total: available - created,
    answering: answers - firstLog.timeOf(),
    init: firstLog.timeOf('root token generated') - firstLog.timeOf('storage.raft: creating Raft'),
    join: unsealed - begins,
    probes: startup + readiness,
  };
  return Object.fromEntries(Object.entries(parts).map(([name, time]) => [name, time / 1000])) as unknown as Start;
}

/** How long a probe that could succeed was waited for, at most a period after it was due: anything more is the node's. */
function delayOf(seen: number | undefined, { possible, due }: { possible: number; due: number }): number {
  if (seen === undefined) throw new Error('a pod is ready that was not watched');
  return Math.max(0, Math.min(seen, due + probePeriod) - possible);
}

/** When the servers were reported as started and as ready, and the initial delay of their readiness, all in milliseconds. */
interface Reports {
  readonly started: Map<string, number>;
  readonly ready: Map<string, number>;
  readonly initialDelay: number;
}

async function watchPods({ cluster: { client }, ref }: LiveOpenBao, signal: AbortSignal): Promise<Reports> {
  const [started, ready] = [new Map<string, number>(), new Map<string, number>()];
  let initialDelay = 0;
  try {
    for await (const { object } of client.watch(Pod, { namespace: ref.namespace, signal })) {
      const { metadata, spec, status } = object;
      const [container] = status?.containerStatuses ?? [];
      const { name } = metadata;
      if (container?.started === true && !started.has(name)) started.set(name, Date.now());
      if (container?.ready === true && !ready.has(name)) ready.set(name, Date.now());
      initialDelay = (spec?.containers[0]?.readinessProbe?.initialDelaySeconds ?? 0) * 1000;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { started, ready, initialDelay };
}

/** The time when the cluster reports that it is available. */
async function untilAvailable(bao: LiveOpenBao): Promise<number> {
  for (const end = Date.now() + 300_000; Date.now() < end; await setTimeout(10)) {
    if ((await bao.condition('Available')).startsWith('True')) return Date.now();
  }
  throw new Error(`${bao.ref.name} is not available after five minutes: ${await bao.condition('Degraded')}`);
}
