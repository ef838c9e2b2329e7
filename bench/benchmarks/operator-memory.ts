// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.ts';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { memoryAtRest } from '../harness/memory-at-rest.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';

const rounds = 5;
const source = fileURLToPath(new URL('../programs/keystone-operator.mjs', import.meta.url));
const sizes = [
  { keystones: 100, atMost: 100 },
  { keystones: 500, atMost: 150 },
];

/** Memory of the keystone operator, bundled and launched as shipped, once it has reconciled every Keystone. */
export async function operatorMemory(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  try {
    await bundle(source, join(dir, 'packed'));
    const figures: Figure[] = [];
    for (const { keystones, atMost } of sizes) {
      const samples = await memoryWith(keystones, dir);
      figures.push({
        what: `memory of an operator with ${keystones} Keystones`,
        samples,
        unit: 'MiB',
        goal: { atMost },
      });
    }
    return figures;
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function memoryWith(keystones: number, dir: string): Promise<number[]> {
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(
    new URL('../programs/serve-keystones.ts', import.meta.url),
    tls,
    String(keystones),
  );
  try {
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(`https://127.0.0.1:${server.port}`, admin));
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await memoryOf(dir, kubeconfig, keystones));
    return samples;
  } finally {
    await server.stop();
  }
}

/** Starts the operator and stops it when it has reconciled this many. */
async function memoryOf(dir: string, kubeconfig: string, keystones: number): Promise<number> {
  const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...plain } = process.env;
  const args = [
    join(dir, 'packed', 'keystone-operator.mjs'),
    `--kubeconfig=${kubeconfig}`,
    '--pod-namespace=default',
    '--leader-elect=false',
    '--health-probe-bind-address=127.0.0.1:0',
    '--metrics-bind-address=127.0.0.1:0',
    '--webhook-bind-address=127.0.0.1:0',
  ];
  const env = { ...plain, NODE_COMPILE_CACHE: join(dir, 'compiled') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  try {
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
    const { metricsPort } = JSON.parse(line) as { metricsPort: number };
    while ((await reconciled(metricsPort)) < keystones) await setTimeout(200);
    return await memoryAtRest(child);
  } finally {
    child.kill();
    await exited;
  }
}

async function reconciled(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = [...metrics.matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
