// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { bundleOperator, memoryOf } from '../harness/operator-process.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';

const rounds = 5;
const sizes = [
  { keystones: 100, atMost: 100 },
  { keystones: 500, atMost: 150 },
];

/** Memory of the keystone operator, bundled and launched as shipped, once it has reconciled every Keystone. */
export async function operatorMemory(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  try {
    await bundleOperator(dir);
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
