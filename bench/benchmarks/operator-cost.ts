// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Keystone } from '@forge/keystone/keystone.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { median, ratios } from '../harness/measure.ts';
import { bundleOperator, startOperator } from '../harness/operator-process.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';
import { settledOperator, type Settled } from '../harness/settled-operator.ts';
import { createKeystone } from '../programs/create-keystone.ts';
import { healthyKeystones } from '../programs/healthy-keystones.ts';
import { instantControllers } from '../programs/instant-controllers.ts';

const rounds = 5;
const created = 10;
const [few, many] = [10, 1000];

/** CPU time of the keystone operator: for a new Keystone, and for a pass without a change with few Keystones and many. */
export async function operatorCost(): Promise<Figure[]> {
  return [await costToReady(), await costOfMany()];
}

/** The operator, bundled and launched as shipped, brings new Keystones to Ready; the first round warms up. */
async function costToReady(): Promise<Figure> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(new URL('../programs/serve-new-keystones.ts', import.meta.url), tls);
  try {
    await bundleOperator(dir);
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(`https://127.0.0.1:${server.port}`, admin));
    await using operator = await startOperator(dir, kubeconfig);
    const samples: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await setTimeout(500);
      const before = await operator.metric('process_cpu_seconds_total');
      server.send({ count: created });
      await server.next();
      samples.push(((await operator.metric('process_cpu_seconds_total')) - before) / created);
    }
    const what = 'CPU time of an operator per Keystone to Ready';
    return { what, samples: samples.slice(1), unit: 's', goal: { atMost: 0.1 } };
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

async function costOfMany(): Promise<Figure> {
  const [ofFew, ofMany] = [await settledKeystones(few), await settledKeystones(many)];
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    times.few.push((await ofFew.passes(many / few)).time);
    times.many.push((await ofMany.passes(1)).time);
  }
  await Promise.all([ofFew.stop(), ofMany.stop()]);
  return {
    what: `time of a pass of ${many.toLocaleString('en-US')} Keystones, against ${few}`,
    samples: ratios(times.many, times.few).slice(1),
    unit: '×',
    goal: { atMost: 1.1 },
    ratio: `${median(times.many.slice(1)).toFixed(2)} to ${median(times.few.slice(1)).toFixed(2)} ms`,
  };
}

/** The keystone operator with this many ready Keystones. */
async function settledKeystones(count: number): Promise<Settled> {
  return await settledOperator({
    async create(user) {
      const namespace = 'openstack';
      await user.create(CustomResourceDefinition, crdOf(Keystone));
      await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      for (let each = 0; each < count; each += 1) await createKeystone(user, { namespace, name: `identity-${each}` });
    },
    controllers: healthyKeystones(),
    cluster: instantControllers(),
  });
}
