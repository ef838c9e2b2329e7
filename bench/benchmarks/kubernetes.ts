// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { skipped, type Figure } from '../harness/figure.ts';
import { kubernetesBinaries, startKubernetes, type Kubernetes } from '../harness/kubernetes.ts';
import { bundleOperator, memoryOf, startOperator, type OperatorProcess } from '../harness/operator-process.ts';

const rounds = 5;
const many = 100;

/** Measurements of a Go operator with the same task. */
const reference = {
  one: 'Go: 31–33 s',
  many: 'Go: 93–116 s',
  cost: 'Go: 0.16–0.20 s',
  memory: { 100: 'Go: 79 MB', 500: 'Go: 188 MB' },
};

/**
 * The keystone operator, bundled and launched as shipped, on a real kube-apiserver on which Deployments and Jobs are
 * ready at once.
 */
export async function kubernetes(): Promise<Figure[]> {
  const binaries = await kubernetesBinaries();
  if (binaries === undefined) return skipped('no binaries of Kubernetes: npm run e2e:kubernetes builds them, with Go');
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  try {
    await bundleOperator(dir);
    await using cluster = await startKubernetes(binaries);
    const measured = { one: [] as number[], many: [] as number[], cost: [] as number[], few: [] as number[] };
    const start = () => startOperator(dir, cluster.kubeconfig);
    {
      await using operator = await start();
      measured.one.push(...(await oneAtATime(cluster)));
      await measureMany(cluster, operator, measured, 0);
    }
    const memoryWith = (resources: number) =>
      memoryOf(dir, cluster.kubeconfig, { operator: 'keystone-operator', resources });
    for (let round = 0; round < rounds; round += 1) measured.few.push(await memoryWith(many));
    {
      await using operator = await start();
      for (let round = 1; round < rounds; round += 1) await measureMany(cluster, operator, measured, round);
    }
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      memory.push(await memoryWith(many * rounds));
    }
    return figuresOf({ ...measured, memory });
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Seconds from the creation of a Keystone until it is Ready, one by one; the first one is a warm-up. */
async function oneAtATime({ api, createReady }: Kubernetes): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const namespace = `one-${round}`;
    times.push((await createReady(namespace, 1)) / 1000);
    await api.delete(Keystone, { namespace, name: 'identity-0' });
  }
  while ((await api.list(Keystone)).items.length > 0) await setTimeout(100);
  return times.slice(1);
}

async function measureMany(
  { createReady }: Kubernetes,
  operator: OperatorProcess,
  measured: { many: number[]; cost: number[] },
  round: number,
): Promise<void> {
  const before = await operator.metric('process_cpu_seconds_total');
  measured.many.push((await createReady(`many-${round}`, many)) / 1000);
  measured.cost.push(((await operator.metric('process_cpu_seconds_total')) - before) / many);
}

function figuresOf(measured: Record<'one' | 'many' | 'cost' | 'few' | 'memory', number[]>): Figure[] {
  const on = 'on kube-apiserver';
  return [
    {
      what: `one Keystone, create to Ready ${on}`,
      samples: measured.one,
      unit: 's',
      goal: { atMost: 2 },
      ratio: reference.one,
    },
    {
      what: `${many} Keystones to Ready ${on}`,
      samples: measured.many,
      unit: 's',
      goal: { atMost: 20 },
      ratio: reference.many,
    },
    {
      what: `CPU time of an operator per Keystone ${on}`,
      samples: measured.cost,
      unit: 's',
      goal: { atMost: 0.1 },
      ratio: reference.cost,
    },
    {
      what: `memory of an operator with ${many} Keystones ${on}`,
      samples: measured.few,
      unit: 'MiB',
      goal: { atMost: 100 },
      ratio: reference.memory[100],
    },
    {
      what: `memory of an operator with ${many * rounds} Keystones ${on}`,
      samples: measured.memory,
      unit: 'MiB',
      goal: { atMost: 150 },
      ratio: reference.memory[500],
    },
  ];
}
